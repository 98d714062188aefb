// Filters the videos by name, and keeps the marks that make the lists for training.
(() => {
  const tools = document.getElementById("tools");
  if (!tools) return;
  const hits = [...document.querySelectorAll("[data-text]")];
  const filter = document.getElementById("filter"), shown = document.getElementById("shown");
  const plain = (text) => text.normalize("NFKC").toLowerCase();
  tools.hidden = false;

  filter.addEventListener("input", () => {
    const words = plain(filter.value).split(/\s+/);
    for (const hit of hits) hit.hidden = !words.every((word) => plain(hit.dataset.text).includes(word));
    const left = hits.filter((hit) => !hit.hidden).length;
    shown.textContent = left === hits.length ? "" : `${left} of ${hits.length}`;
  });

  const marked = document.getElementById("marked");
  if (!marked) return;
  const key = `widemargin marks: ${(document.querySelector(".verdict") || document.querySelector("h1")).textContent}`;
  const marks = new Map();
  try {
    for (const [file, mark] of Object.entries(JSON.parse(localStorage.getItem(key)) || {})) marks.set(file, mark);
  } catch {
    document.getElementById("fleeting").hidden = false;
  }

  const chosen = (mark) => hits.map((hit) => hit.dataset.file).filter((file) => file && marks.get(file) === mark);

  // A name may have bytes that are no text: the lists that are saved hold the bytes themselves.
  const bytes = (mark) => Uint8Array.from(
    chosen(mark).flatMap((file) => [...file.matchAll(/%(..)|./g)].map(([one, code]) =>
      code ? parseInt(code, 16) : one.charCodeAt(0)).concat(10)));

  function draw() {
    for (const hit of hits) {
      const mark = marks.get(hit.dataset.file);
      hit.classList.toggle("is-right", mark === "right");
      hit.classList.toggle("is-wrong", mark === "wrong");
      for (const button of hit.querySelectorAll("[data-mark]")) button.ariaPressed = String(button.dataset.mark === mark);
    }
    const [right, wrong] = ["right", "wrong"].map((mark) => chosen(mark).length);
    if (right + wrong) marked.textContent = `${right} right, ${wrong} wrong`;
    else marked.textContent = "Mark videos right or wrong to train a detector.";
    tools.querySelector("[data-do=forget]").hidden = !(right + wrong);
    for (const button of tools.querySelectorAll("[data-save]")) button.disabled = !chosen(button.dataset.save).length;
    for (const mark of ["right", "wrong"]) {
      document.getElementById(`${mark}-list`).value = new TextDecoder().decode(bytes(mark));
    }
  }

  function keep() {
    draw();
    try {
      localStorage.setItem(key, JSON.stringify(Object.fromEntries(marks)));
    } catch {
      document.getElementById("fleeting").hidden = false;
    }
  }

  document.addEventListener("click", (event) => {
    const { mark, save } = event.target.dataset;
    if (mark) {
      const { file } = event.target.closest("[data-file]").dataset;
      if (marks.get(file) === mark) marks.delete(file);
      else marks.set(file, mark);
      keep();
    } else if (save) {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([bytes(save)], { type: "text/plain" }));
      link.download = save === "right" ? "positives.txt" : "negatives.txt";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    } else if (event.target.dataset.do === "forget" && confirm("Clear all marks on this page?")) {
      for (const hit of hits) marks.delete(hit.dataset.file);
      keep();
    }
  });
  for (const group of document.querySelectorAll(".marks")) group.hidden = false;
  draw();
})();
