"use strict";
(() => {
  // Filters fold where the window is narrow.
  if (window.matchMedia("(max-width: 600px)").matches) {
    for (const filter of document.querySelectorAll("details.filter")) filter.open = false;
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
