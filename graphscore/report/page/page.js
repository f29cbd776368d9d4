"use strict";
(() => {
  const figures = [...document.querySelectorAll("figure.picture")];
  const numbered = (target) => {
    const part = target.closest ? target.closest("g[class*=' p']") : null;
    // What stands for several, as a mention for its chain, marks all of them.
    return part ? [...part.classList].filter((name) => /^p\d+$/.test(name)) : [];
  };
  const mark = (figure, name, on) => {
    for (const part of figure.querySelectorAll("." + name)) part.classList.toggle("on", on);
  };
  for (const figure of figures) {
    // Pointing at a part marks its counterpart.
    figure.addEventListener("mouseover", (event) => {
      for (const name of numbered(event.target)) mark(figure, name, true);
    });
    figure.addEventListener("mouseout", (event) => {
      for (const name of numbered(event.target)) mark(figure, name, false);
    });
    const drawn = [...figure.querySelectorAll("svg")];
    const sizes = drawn.map((svg) => [svg.width.baseVal.value, svg.height.baseVal.value]);
    let scale = 1;
    const zoom = (to) => {
      scale = Math.min(4, Math.max(0.2, to));
      drawn.forEach((svg, n) => {
        svg.setAttribute("width", Math.round(sizes[n][0] * scale));
        svg.setAttribute("height", Math.round(sizes[n][1] * scale));
      });
    };
    const tools = document.createElement("div");
    tools.className = "tools";
    const tool = (text, title, act) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.title = title;
      button.setAttribute("aria-label", title);
      button.addEventListener("click", () => act(button));
      tools.append(button);
      return button;
    };
    tool("\u2212", "smaller", () => zoom(scale / 1.25));
    tool("+", "larger", () => zoom(scale * 1.25));
    tool("fit", "as wide as the page", () => {
      const most = Math.max(...sizes.map(([width]) => width));
      zoom((figure.clientWidth - 18) / most);
    });
    tool("1:1", "as drawn", () => zoom(1));
    if (figure.querySelector("svg.right")) {
      tool("errors only", "hide what matched", (button) => {
        const folded = figure.classList.toggle("folded");
        button.setAttribute("aria-pressed", folded);
      });
    }
    figure.before(tools);
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
  }
  // Keys lead from item to item.
  const items = [...document.querySelectorAll("section.item")];
  const step = (by) => {
    const top = (item) => item.getBoundingClientRect().top;
    const now = items.findLastIndex((item) => top(item) < 8);
    const next = items[Math.min(items.length - 1, Math.max(0, now + by))];
    if (next) {
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
