// The page reads without this; it adds the filters of findings, and opens what is folded when the page is printed.
(() => {
  "use strict";
  const form = document.querySelector(".filters");
  const findings = [...document.querySelectorAll(".finding")];
  const folded = [...document.querySelectorAll("details")];
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = folded.filter((one) => !one.open);
    closed.forEach((one) => { one.open = true; });
  });
  addEventListener("afterprint", () => closed.forEach((one) => { one.open = false; }));
  if (!form) return;

  const texts = new Map(findings.map((one) => [one, one.textContent.toLowerCase()]));
  const output = form.querySelector("output");

  function apply() {
    const severities = new Set([...form.querySelectorAll("[name=severity]:checked")].map((box) => box.value));
    const { rule, member, text } = form.elements;
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const one of findings) {
      const fits = severities.has(one.dataset.severity)
        && (!rule.value || one.dataset.rule === rule.value)
        && (!member.value || [...one.querySelectorAll(".place")].some((place) => place.textContent === member.value))
        && words.every((word) => texts.get(one).includes(word));
      one.hidden = !fits;
      if (fits) shown += 1;
    }
    for (const list of document.querySelectorAll(".findings")) {
      const none = list.querySelector(".filtered");
      if (none) none.hidden = Boolean(list.querySelector(".finding:not([hidden])"));
    }
    output.textContent = shown === findings.length
      ? `${shown} shown`
      : `${shown} of ${findings.length} shown`;
  }

  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    form.elements.text.focus();
  });
  form.hidden = false;
  apply();
})();
