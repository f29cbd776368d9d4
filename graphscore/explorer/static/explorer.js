"use strict";
(() => {
  // Filters fold where the window is narrow.
  if (window.matchMedia("(max-width: 600px)").matches) {
    for (const filter of document.querySelectorAll("details.filter")) filter.open = false;
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
  // Keys lead from item to item, and to the search.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const go = (selector) => {
      const link = document.querySelector(selector);
      if (link) link.click();
    };
    if (event.key === "n" || event.key === "j") go("a[rel=next]");
    if (event.key === "p" || event.key === "k") go("a[rel=prev]");
    if (event.key === "/") {
      event.preventDefault();
      const field = document.getElementById("q");
      if (field) field.focus();
      else window.location.assign("/search");
    }
  });
})();
