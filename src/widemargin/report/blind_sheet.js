// Counts the answers, keeps them until they are saved, and saves them as a table with one answer a row.
(() => {
  const sheet = document.getElementById("sheet"), rater = document.getElementById("rater");
  const save = document.getElementById("save"), fleeting = document.getElementById("fleeting");
  const key = `widemargin sheet: ${sheet.dataset.sheet}`;
  const questions = [...new Set([...sheet.elements].map((field) => field.name).filter(Boolean))];
  const answers = () => [...new FormData(sheet)];

  function draw() {
    const n = answers().length;
    document.getElementById("answered").textContent = `${n} of ${questions.length} questions answered`;
    save.disabled = !n;
  }

  function keep() {
    draw();
    try {
      localStorage.setItem(key, JSON.stringify({ rater: rater.value, answers: answers() }));
    } catch {
      fleeting.hidden = false;
    }
  }

  try {
    const kept = JSON.parse(localStorage.getItem(key));
    if (kept) {
      rater.value = kept.rater;
      for (const [name, value] of kept.answers) sheet.elements[name].value = value;
    }
  } catch {
    fleeting.hidden = false;
  }

  save.addEventListener("click", () => {
    const name = `"${rater.value.replaceAll('"', '""')}"`;
    const rows = answers().map(([question, answer]) =>
      [sheet.dataset.sheet, name, ...question.split("-"), answer].join(","));
    const text = ["sheet,rater,pair,side,shot,answer", ...rows, ""].join("\n");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = "answers.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  sheet.addEventListener("submit", (event) => event.preventDefault());
  sheet.addEventListener("change", keep);
  rater.addEventListener("input", keep);
  draw();
})();
