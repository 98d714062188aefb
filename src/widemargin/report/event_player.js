"use strict";
// Plays the moment of a shot in a dialog. Without scripts or dialogs, the links lead to the same moments.
(() => {
  const player = document.getElementById("player");
  const part = (selector) => player.querySelector(selector);
  const screen = part(".screen"), failure = part(".failure");
  const previous = part("[data-do=previous]"), next = part("[data-do=next]");
  let shots = [], current = 0;

  function clear() {
    const video = screen.firstChild;
    if (!video) return;
    video.remove();
    video.pause();
    video.removeAttribute("src");
    video.load();
  }

  function show(index) {
    clear();
    current = index;
    const shot = shots[index], { name, span } = shot.dataset;
    part("h2").textContent = `${name}, ${span}`;
    part("[data-do=open]").href = shot.href;
    previous.disabled = index === 0;
    next.disabled = index === shots.length - 1;
    failure.hidden = true;
    screen.hidden = false;
    const video = document.createElement("video");
    const fail = () => {
      if (!video.isConnected) return;
      clear();
      screen.hidden = true;
      failure.hidden = false;
      failure.textContent = `This browser cannot play ${name}: the file is no longer where it was, or has a format ` +
        `that the browser does not know. Open it with a video player, and go to ${span.split("–")[0]}.`;
    };
    video.addEventListener("error", fail);
    // Sound without a picture: the browser knows the format of the sound only.
    video.addEventListener("loadedmetadata", () => { if (!video.videoWidth) fail(); });
    video.controls = true;
    video.playsInline = true;
    video.preload = "none";
    video.src = shot.href;
    screen.append(video);
    video.play().catch(() => {});
  }

  document.addEventListener("click", (event) => {
    const shot = event.target.closest("a.play");
    if (!shot || !player.showModal || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    shots = [...shot.closest("ol").querySelectorAll("a.play")];
    player.showModal();
    show(shots.indexOf(shot));
  });
  previous.addEventListener("click", () => show(current - 1));
  next.addEventListener("click", () => show(current + 1));
  part("[data-do=close]").addEventListener("click", () => player.close());
  player.addEventListener("click", (event) => { if (event.target === player) player.close(); });
  player.addEventListener("close", clear);
})();
