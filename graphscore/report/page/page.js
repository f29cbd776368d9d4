"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const make = (tag, name, text) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text) made.textContent = text;
    return made;
  };
  const button = (text, title, act) => {
    const made = make("button", "", text);
    made.type = "button";
    made.title = title;
    if (text.length < 4) made.setAttribute("aria-label", title);
    made.addEventListener("click", () => act(made));
    return made;
  };
  const numbered = (target) => {
    const part = target.closest ? target.closest("g[class*=' p']") : null;
    // What stands for several, as a mention for its chain, marks all of them.
    return part ? [...part.classList].filter((name) => /^p\d+$/.test(name)) : [];
  };
  const mark = (figure, name, on) => {
    for (const part of all("." + name, figure)) part.classList.toggle("on", on);
  };

  // Pictures: hovering, zooming, folding, dragging.
  const equipped = new WeakSet();
  const equip = (figure) => {
    if (equipped.has(figure)) return;
    equipped.add(figure);
    // Pointing at a part marks its counterpart.
    figure.addEventListener("mouseover", (event) => {
      for (const name of numbered(event.target)) mark(figure, name, true);
    });
    figure.addEventListener("mouseout", (event) => {
      for (const name of numbered(event.target)) mark(figure, name, false);
    });
    const drawn = all("svg", figure);
    const sizes = drawn.map((svg) => [svg.width.baseVal.value, svg.height.baseVal.value]);
    let scale = 1;
    const zoom = (to) => {
      scale = Math.min(4, Math.max(0.2, to));
      drawn.forEach((svg, n) => {
        svg.setAttribute("width", Math.round(sizes[n][0] * scale));
        svg.setAttribute("height", Math.round(sizes[n][1] * scale));
      });
    };
    // Both sides stand beside each other where letters stay large enough to be read.
    if (figure.classList.contains("beside")) {
      const room = figure.clientWidth - 18 - 24 * (drawn.length - 1);
      const most = room / sizes.reduce((sum, [width]) => sum + width, 0);
      if (most < 1 && most >= 0.7) zoom(most);
    }
    const tools = make("div", "tools");
    tools.append(
      button("\u2212", "smaller", () => zoom(scale / 1.25)),
      button("+", "larger", () => zoom(scale * 1.25)),
      button("fit", "as wide as the page", () => {
        const most = Math.max(...sizes.map(([width]) => width));
        zoom((figure.clientWidth - 18) / most);
      }),
      button("1:1", "as drawn", () => zoom(1)),
    );
    // Where all is right nothing would be left.
    const wrong = figure.querySelector("svg:not(.right)");
    if (wrong && (figure.querySelector("svg.right") || wrong.querySelector("g.same"))) {
      const errors = button("errors only", "fade or hide what matched", () => {
        errors.setAttribute("aria-pressed", figure.classList.toggle("folded"));
      });
      errors.setAttribute("aria-pressed", false);
      tools.append(errors);
    }
    figure.before(tools);
    // What can be scrolled can be reached with keys.
    figure.tabIndex = 0;
    figure.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(scale * (event.deltaY < 0 ? 1.1 : 1 / 1.1));
    }, { passive: false });
    // Dragging pans.
    let from = null;
    figure.addEventListener("pointerdown", (event) => {
      if (event.button === 0 && event.pointerType === "mouse") {
        from = [event.clientX, event.clientY, figure.scrollLeft, figure.scrollTop];
      }
    });
    figure.addEventListener("pointermove", (event) => {
      if (!from) return;
      figure.scrollLeft = from[2] - (event.clientX - from[0]);
      figure.scrollTop = from[3] - (event.clientY - from[1]);
    });
    for (const name of ["pointerup", "pointerleave"]) {
      figure.addEventListener(name, () => { from = null; });
    }
  };

  // Items: pictures that are packed, and what is open.
  const items = all("section.item");
  const block = document.getElementById("pictures");
  const places = new Map(all(".packed").map((place, n) => [place, n]));
  let figures = null;
  const inflate = async () => {
    const bytes = Uint8Array.from(atob(JSON.parse(block.textContent)), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    figures = JSON.parse(await new Response(stream).text());
  };
  // Unpacked when it is wanted first, and once.
  let unpacking = null;
  const ready = () => {
    if (block && "DecompressionStream" in window) unpacking ??= inflate();
    return unpacking;
  };
  const put = (item) => {
    if (!figures) return;
    for (const place of all(".packed", item)) {
      const parsed = new DOMParser().parseFromString(figures[places.get(place)], "text/html");
      place.replaceWith(document.importNode(parsed.querySelector("figure"), true));
    }
  };
  const equipAll = (item) => all("figure.picture", item).forEach(equip);
  const show = async (item) => {
    if (item.querySelector(".packed")) {
      await ready();
      put(item);
    }
    equipAll(item);
  };
  for (const item of items) {
    const details = item.querySelector("details");
    if (!details) {
      equipAll(item);
      continue;
    }
    details.addEventListener("toggle", () => { if (details.open) show(item); });
    if (details.open) show(item);
  }
  all("figure.picture").filter((each) => !each.closest("section.item")).forEach(equip);
  const open = (item, on = true) => {
    const details = item.querySelector("details");
    if (details) details.open = on;
  };

  // What is printed is whole: all is unpacked when there is time, and put in at once.
  const later = window.requestIdleCallback || ((act) => setTimeout(act, 50));
  later(ready);
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all("details").filter((each) => !each.open);
    for (const item of items) put(item);
    for (const each of closed) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of closed) each.open = false;
  });

  // Links lead to what is open.
  const arrive = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.matches("section.item")) {
      target.hidden = false;
      open(target);
      target.scrollIntoView();
      target.focus({ preventScroll: true });
    }
  };
  addEventListener("hashchange", arrive);
  arrive();

  // Words and a framework choose which items are shown.
  const index = document.querySelector("#items .index");
  if (index && items.length > 1) {
    const box = make("div", "tools filter");
    box.setAttribute("role", "search");
    const field = make("input");
    field.type = "search";
    field.placeholder = "id, text, error";
    const label = make("label", "", "filter ");
    label.append(field);
    const names = [...new Set(all("#items .framework").map((each) => each.dataset.framework))].sort();
    const choice = make("select");
    choice.setAttribute("aria-label", "framework");
    for (const name of ["all frameworks", ...names]) choice.append(new Option(name, name));
    const said = make("output", "soft");
    box.append(label);
    if (names.length > 1) box.append(choice);
    box.append(
      button("open all", "open all items", () => items.forEach((each) => open(each))),
      button("close all", "close all items", () => items.forEach((each) => open(each, false))),
      button("print", "print with all pictures", async () => { await ready(); window.print(); }),
      said,
      make("span", "soft keys", "keys: j next, k previous, / filter"),
    );
    index.parentElement.before(box);
    const words = new Map();
    const textOf = (item) => {
      if (!words.has(item)) {
        const parts = all("h3, h4, .text, table.errors", item).map((each) => each.textContent);
        words.set(item, parts.join("\n").toLowerCase());
      }
      return words.get(item);
    };
    const lines = new Map(all("a", index).map((each) => [each.hash.slice(1), each.closest("li")]));
    const filter = () => {
      const wanted = field.value.toLowerCase().split(/\s+/).filter((word) => word);
      const name = choice.selectedIndex > 0 ? choice.value : "";
      let count = 0;
      for (const item of items) {
        let there = !name;
        for (const each of all(".framework", item)) {
          each.hidden = Boolean(name) && each.dataset.framework !== name;
          there ||= !each.hidden;
        }
        const on = there && wanted.every((word) => textOf(item).includes(word));
        item.hidden = !on;
        const line = lines.get(item.id);
        if (line) line.hidden = !on;
        count += on;
      }
      said.textContent = wanted.length || name ? `${count} of ${items.length} items` : "";
    };
    field.addEventListener("input", filter);
    choice.addEventListener("change", filter);
    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && event.target !== field && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        field.focus();
      }
      if (event.key === "Escape" && event.target === field) {
        field.value = "";
        filter();
        field.blur();
      }
    });
  }

  // A head sorts its table: numbers largest first, names by their letters.
  for (const table of document.querySelectorAll("table.sortable")) {
    const body = table.tBodies[0];
    const shown = (row, index) => row.cells[index].textContent.replace(/[*,]/g, "").trim();
    [...table.tHead.rows[0].cells].forEach((head, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") !== "descending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = [...body.rows].sort((one, two) => {
          const [a, b] = [shown(one, index), shown(two, index)];
          const less = isNaN(a) || isNaN(b) ? a.localeCompare(b) : b - a;
          return down ? less : -less;
        });
        for (const row of rows) row.classList.remove("rule");
        body.append(...rows);
      });
    });
  }
  // Keys lead from item to item.
  const step = (by) => {
    const there = items.filter((item) => !item.hidden);
    const top = (item) => item.getBoundingClientRect().top;
    // The last items cannot be brought to the top: the one that was led to counts.
    const held = there.indexOf(document.activeElement.closest("section.item"));
    const inSight = held >= 0 && top(there[held]) < innerHeight &&
      there[held].getBoundingClientRect().bottom > 0;
    const now = inSight ? held : there.findLastIndex((item) => top(item) < 8);
    const next = there[Math.min(there.length - 1, Math.max(0, now + by))];
    if (next) {
      open(next);
      next.scrollIntoView();
      next.focus({ preventScroll: true });
    }
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    if (event.key === "j" || event.key === "n") step(1);
    if (event.key === "k" || event.key === "p") step(-1);
  });
})();
