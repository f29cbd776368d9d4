"""Correspondence search: an optimal mapping of graph nodes, and its proof.

**The problem.**  Two small graphs, gold on the left, system on the right::

    gold    0:bark -ARG0-> 1:dog        system    0:dog <-ARG0- 1:bark
            0:bark -ARG1-> 2:cat                  2:cat <-ARG1- 1:bark
                                                  3:dog

A map pairs gold with system objects one to one, and may leave some alone.  A
pair earns what both objects say of themselves (here 1 for an equal label), and
two pairs earn something together when an edge of one side becomes an equal edge
of the other.  We want the map that earns most.  Gold *dog* may be system 0 or 3;
only with 0 does the ``ARG0`` edge count too, so the best map is 0↔1, 1↔0, 2↔2:
three labels and two edges, 5.  In general this is the maximum common edge
subgraph problem, NP-hard; on the graphs that people annotate it is easy, once
the bound is good.

**The bound.**  If edges did not couple the choices, this were a linear assignment
problem, solved in microseconds.  So each edge pair's worth is *split* between
its two ends: half goes to the pair of sources, half to the pair of targets.
Candidate 0↔1 gets its label (1) and half of ``ARG0`` and of ``ARG1``: 2.  1↔0
and 2↔2 get 1½ each, 1↔3 only its label.  However the edges lie, a candidate
cannot be credited twice for edges that lead to the same gold object, nor to the
same system object, so the smaller of the two sums is safe.  The best assignment
by these values is 2 + 1½ + 1½ = 5: no map earns more than 5.  And the map it
picks earns 5.  That is the proof.

**Closing the gap.**  Where the two numbers differ, the search goes on:

1. *climb*: credit every candidate with what it would really earn beside the map
   at hand, assign again, for as long as the map gets better;
2. *prune*: the assignment's dual potentials bound every map through a given
   candidate; candidates that cannot beat the map at hand are dropped, with their
   edges.  Since the gap is mostly 1 or 2, that removes nearly everything;
3. *shift the split*: an edge pair that the assignment credits at one end only
   wants its worth at the other; a subgradient step moves it there;
4. *take apart*: what is left falls into components of the candidate graph, which
   no longer influence one another and are solved one by one;
5. *look elsewhere*: maps that come from the shape of the graphs, where labels and
   rewards do not tell nodes apart;
6. *branch*: by cases, one candidate in the map or not, each case bounded, climbed and
   pruned in its turn;
7. *price*: what is open still is given the least bound that sharing out can give, and
   divided by objects, each to correspond to one candidate after the other.

**Ends.**  All of that is counted in *steps*, by what the work grows with, and no step
is hidden in a solver that cannot be asked to stop.  Where equal edges are so many that
their pairs would not fit, the pairs are never written out: the bound comes from the
degrees of the nodes, and maps are found on the edges themselves.

Most problems are small and take as long as the calls they make: steps 1 to 3 are taken
for many problems at once, which stand side by side in the same arrays
(:func:`~graphscore.correspondence.search.solve_many`).  What is found of one does not
depend on the others.

In an ordered problem (the nodes of a bi-lexical graph are words) only maps that
preserve the order of both sides count; a weighted common subsequence takes the
place of the assignment, and everything else stays.

**Exactness.**  Worths are integers and all splitting is done in 1/1024 of a unit,
so sums are exact and the bound is rounded down safely.  The budget is counted in
steps, not in seconds: the same input gives the same output on every machine.
Several maps may be best; of those met, the one that earns most by the problem's
preferences wins, then the one whose list of pairs is smallest.
``ties="canonical"`` proves the lexicographic optimum of the preferences.

>>> from graphscore.correspondence import LinkPairs, Problem, solve
>>> import numpy as np
>>> labels = np.array([[0, 1, 0, 0], [1, 0, 0, 1], [0, 0, 1, 0]])
>>> links = LinkPairs(
...     gold_source=np.array([0, 0]), gold_target=np.array([1, 2]),
...     system_source=np.array([1, 1]), system_target=np.array([0, 2]),
...     weight=np.array([1, 1]))
>>> best = solve(Problem(labels, links))
>>> best.pairs, best.score, best.bound, best.proven
(((0, 1), (1, 0), (2, 2)), 5, 5, True)

References: Cai and Knight (2013) for the problem in AMR; McGregor (1982) for
common subgraphs; Kuhn (1955) and Crouse (2016) for assignment; Held, Wolfe and
Crowder (1974) and Polyak (1969) for the subgradient step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphscore.lazy import lazily

if TYPE_CHECKING:
    from graphscore.correspondence.problem import (
        REVISION,
        Budget,
        Correspondence,
        LinkPairs,
        Preference,
        Problem,
        evaluate,
    )
    from graphscore.correspondence.search import solve

__all__ = [
    "REVISION",
    "Budget",
    "Correspondence",
    "LinkPairs",
    "Preference",
    "Problem",
    "evaluate",
    "solve",
]

__getattr__ = lazily(
    __name__,
    {
        "problem": (
            "REVISION Budget Correspondence LinkPairs Preference Problem evaluate"
        ),
        "search": "solve",
    },
)
