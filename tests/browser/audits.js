// What a page is asked: each function gives what is wrong, nothing where all is well.
window.audits = (() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const named = (element) => {
    const name = element.getAttribute("class");
    const said = (element.textContent || "").trim().slice(0, 40);
    return `${element.tagName.toLowerCase()}${name ? "." + name : ""} "${said}"`;
  };
  const seen = (element) => element.checkVisibility({ checkVisibilityCSS: true }) &&
    element.getClientRects().length > 0;

  // Contrast: what WCAG 2 calls so, of colours laid over each other.
  const parsed = (colour) => {
    const found = colour.match(/[\d.]+/g).map(Number);
    return found.length === 3 ? [...found, 1] : found;
  };
  const over = (upper, lower) => upper.slice(0, 3)
    .map((value, n) => value * upper[3] + lower[n] * (1 - upper[3])).concat(1);
  const light = (colour) => {
    const [r, g, b] = colour.map((value) => value / 255)
      .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, two) => {
    const [less, more] = [light(one), light(two)].sort((a, b) => a - b);
    return (more + 0.05) / (less + 0.05);
  };
  const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      layers.push(parsed(getComputedStyle(at).backgroundColor));
    }
    return layers.reverse().reduce((lower, upper) => over(upper, lower), [255, 255, 255, 1]);
  };
  // In pictures shapes lie under texts: all that do are asked.
  const fills = (drawing) => {
    const under = ground(drawing);
    const shapes = all("rect, path, polygon", drawing).flatMap((shape) => {
      const { fill, fillOpacity } = getComputedStyle(shape);
      if (fill === "none") return [];
      const colour = parsed(fill);
      colour[3] *= Number(fillOpacity);
      return [{ box: shape.getBoundingClientRect(), colour: over(colour, under) }];
    });
    return { under, shapes };
  };
  const contrast = () => {
    const wrong = [];
    const known = new Map();
    const grounds = (element) => {
      const drawing = element.closest("svg");
      if (!drawing) return [ground(element)];
      if (!known.has(drawing)) known.set(drawing, fills(drawing));
      const { under, shapes } = known.get(drawing);
      const here = element.getBoundingClientRect();
      const below = shapes.filter(({ box }) => box.left < here.right &&
        box.right > here.left && box.top < here.bottom && box.bottom > here.top);
      return [under, ...below.map((shape) => shape.colour)];
    };
    for (const element of all("body *")) {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
      if (!own || /^(SCRIPT|STYLE|title)$/.test(element.tagName) || !seen(element)) continue;
      if (element.closest(".out")) continue;
      const style = getComputedStyle(element);
      const ink = parsed(element.closest("svg") ? style.fill : style.color);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      const least = Math.min(...grounds(element).map((each) => ratio(over(ink, each), each)));
      if (least < (large ? 3 : 4.5)) wrong.push(`${least.toFixed(2)} ${named(element)}`);
    }
    return wrong;
  };

  // Headings lead down one step at a time.
  const headings = () => {
    const wrong = [];
    let last = 0;
    for (const each of all("h1, h2, h3, h4, h5, h6")) {
      const level = Number(each.tagName[1]);
      if (level > last + 1) wrong.push(`h${level} after h${last}: ${named(each)}`);
      if (!each.textContent.trim()) wrong.push(`empty ${named(each)}`);
      last = level;
    }
    if (all("h1").length !== 1) wrong.push(`${all("h1").length} h1`);
    return wrong;
  };

  // Tables say what they are of, and which cells are heads.
  const tables = () => all("table").flatMap((table) => {
    const labelled = table.caption?.textContent.trim() || table.getAttribute("aria-label") ||
      table.closest("section[aria-labelledby]")?.querySelectorAll("table").length === 1;
    // Lists of errors have no column that names the row.
    const rows = table.matches(".errors") ? [] : all("tbody tr", table);
    return [
      ...(labelled ? [] : [`no caption: ${named(table)}`]),
      ...(table.querySelector("thead th") ? [] : [`no columns: ${named(table)}`]),
      ...rows.filter((row) => !row.querySelector("th[scope=row]"))
        .map((row) => `no head: ${named(row)}`),
    ];
  });

  // Everything has a name, ids are unique, links lead somewhere.
  const names = () => {
    const wrong = [];
    const ids = all("[id]").map((each) => each.id);
    for (const id of new Set(ids.filter((each, n) => ids.indexOf(each) !== n))) {
      wrong.push(`twice: ${id}`);
    }
    for (const link of all("a")) {
      const to = link.getAttribute("href");
      // Pages of a server lead to each other; a file has nothing but itself.
      if (location.protocol === "http:" && /^[/](?![/])/.test(to)) continue;
      if (!to.startsWith("#") || !document.getElementById(to.slice(1))) wrong.push(`to ${to}`);
    }
    for (const each of all("svg")) {
      if (each.parentElement.closest("svg") || each.getAttribute("aria-hidden") === "true") continue;
      if (!each.getAttribute("aria-label")) wrong.push(`no name: ${named(each)}`);
    }
    for (const each of all("nav, [aria-labelledby]")) {
      const by = each.getAttribute("aria-labelledby");
      if (!each.getAttribute("aria-label") && !document.getElementById(by)) {
        wrong.push(`no name: ${named(each)}`);
      }
    }
    if (all("main").length !== 1) wrong.push(`${all("main").length} main`);
    return wrong;
  };

  // What hangs out of the page, where nothing around it scrolls.
  const width = () => {
    const room = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= room) return [];
    return all("body *").filter((each) => each.getBoundingClientRect().right > room + 1 &&
      !each.closest("svg") && !each.closest(".scroll, figure, pre")).map(named).slice(0, 5)
      .concat(`${document.documentElement.scrollWidth} of ${room}`);
  };

  // Texts of a picture that lie on each other.
  const overlaps = () => all("figure.picture > svg, svg.gs-file > svg").flatMap((drawing) => {
    const texts = all("text", drawing).filter(seen).map((text) => {
      const { left, right, top, bottom } = text.getBoundingClientRect();
      // Letters are lower than their lines.
      const trim = (bottom - top) * 0.22;
      return { text, left: left + 1, right: right - 1, top: top + trim, bottom: bottom - trim };
    }).sort((one, two) => one.left - two.left);
    const wrong = [];
    texts.forEach((one, n) => {
      for (const two of texts.slice(n + 1)) {
        if (two.left >= one.right) break;
        if (one.top < two.bottom && two.top < one.bottom) {
          wrong.push(`${named(one.text)} on ${named(two.text)}`);
        }
      }
    });
    return wrong;
  });

  // Texts of a picture that stand out of it.
  const outside = () => all("figure.picture > svg, svg.gs-file > svg").flatMap((drawing) => {
    const room = drawing.getBoundingClientRect();
    return all("text", drawing).filter(seen).filter((text) => {
      const box = text.getBoundingClientRect();
      return box.left < room.left - 1 || box.right > room.right + 1 ||
        box.top < room.top - 3 || box.bottom > room.bottom + 3;
    }).map(named);
  });

  return { contrast, headings, tables, names, width, overlaps, outside };
})();
