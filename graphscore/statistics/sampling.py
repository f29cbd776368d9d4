"""Random samples of units, the same on every machine.

Libraries change how they turn random bits into numbers; what the bit generator
PCG64 gives for a seed they promise to keep.  So samples are made here, from its raw
words alone.  A sample takes a fixed number of words, so that neither the size of the
blocks in which samples are drawn nor their number changes the first of them.

*Bootstrap* samples draw as many units as there are, with replacement (Efron 1979): a
unit takes 32 bits, the upper word of their product with the number of units (Lemire
2019; without his rejection, which for a million units moves a chance by a
four-thousandth at most).  *Assignments* of approximate randomisation (Noreen 1989)
take a bit each.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]

CELLS = 1 << 16
"""Units drawn at a time: what fits into the caches, so that memory stays flat."""

_SWAPS = 1
"""Sets the words of assignments apart from those of bootstrap samples."""


def _words(seed: int, purpose: int = 0) -> np.random.PCG64:
    spawned = np.random.SeedSequence(seed, spawn_key=(purpose,) if purpose else ())
    return np.random.PCG64(spawned)


def _blocks(size: int, samples: int) -> Iterator[int]:
    """Samples of each block."""
    step = max(1, CELLS // max(size, 1))
    for start in range(0, samples, step):
        yield min(step, samples - start)


def resamples(size: int, samples: int, seed: int) -> Iterator[Integers]:
    """Bootstrap samples as unit numbers, a block of samples at a time.

    Args:
        size: units there are.
        samples: how many samples are wanted.
        seed: what the draws start from; the blocks do not change them.

    Yields:
        Arrays of shape (samples, size) of unit numbers.

    Example:
        >>> [block] = resamples(4, 2, seed=1)
        >>> block.shape, int(block.min()) >= 0, int(block.max()) < 4
        ((2, 4), True, True)
    """
    words = _words(seed)
    for count in _blocks(size, samples):
        raw = words.random_raw(count * ((size + 1) // 2))
        # Little-endian halves, also where words lie in memory the other way round.
        halves = raw.astype("<u8", copy=False).view("<u4").reshape(count, -1)
        drawn = halves[:, :size].astype(np.uint64)
        drawn *= np.uint64(size)
        drawn >>= np.uint64(32)
        yield drawn.view(np.int64)


def weights(size: int, samples: int, seed: int) -> Iterator[Integers]:
    """Yield the multiplicity of each unit in every bootstrap sample.

    Args:
        size: units there are.
        samples: how many samples are wanted.
        seed: what the draws start from.

    Yields:
        Arrays of shape (samples, size), of the samples of :func:`resamples`.

    Example:
        >>> [block] = weights(4, 2, seed=1)
        >>> block.sum(axis=1).tolist()
        [4, 4]
    """
    for drawn in resamples(size, samples, seed):
        count = len(drawn)
        if count > 1:
            drawn += (np.arange(count) * size)[:, None]
        often = np.bincount(drawn.ravel(), minlength=count * size)
        yield often.reshape(count, size)


def assignments(size: int, samples: int, seed: int) -> Iterator[Integers]:
    """Yield the units that every permutation swaps between two systems.

    Args:
        size: units there are.
        samples: how many assignments are wanted.
        seed: what the draws start from.

    Yields:
        Arrays of shape (assignments, size) of 0 and 1.
    """
    words = _words(seed, _SWAPS)
    for count in _blocks(size, samples):
        raw = words.random_raw(count * ((size + 63) // 64))
        octets = raw.astype("<u8", copy=False).view(np.uint8).reshape(count, -1)
        bits = np.unpackbits(octets, axis=1, count=size, bitorder="little")
        yield bits.astype(np.int64)


def every_assignment(size: int) -> Iterator[Integers]:
    """All assignments of a few units, for exact tests.

    Args:
        size: units there are, at most 62.

    Yields:
        Arrays of shape (assignments, size) of 0 and 1.

    Example:
        >>> [block] = every_assignment(2)
        >>> block.tolist()
        [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    start = 0
    for count in _blocks(size, 1 << size):
        numbers = np.arange(start, start + count)[:, None]
        yield numbers >> np.arange(size) & 1
        start += count
