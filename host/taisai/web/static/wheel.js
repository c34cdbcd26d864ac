// The wheel of a table that has one: it turns as that of the bench does, and is thrown from here.

const LONGEST_MS = 250; // from one place that is told to the next: later than that it jumps

// `$`: element by id; `send`: says something to the server.
export function wheel($, send) {
  let steps = 1; // of one revolution
  let rim = null; // what turns, and the middle that it turns around
  let middle = "";
  let shown = 0; // place in steps, clockwise
  let from = 0;
  let to = 0;
  let told = 0; // when the last place was told, in ms
  let lasts = 0; // the way there
  let moving = false;

  function turn(now) {
    // A frame has the time at which it began, which may be before the place was told.
    const share = lasts > 0 ? Math.min(Math.max((now - told) / lasts, 0), 1) : 1;
    shown = from + (to - from) * share;
    rim?.setAttribute("transform", `rotate(${(shown * 360 / steps).toFixed(2)} ${middle})`);
    moving = share < 1;
    if (moving) requestAnimationFrame(turn);
  }

  function spin(way) {
    if ($("revolutions").reportValidity()) {
      send({ do: "spin", revolutions: $("revolutions").valueAsNumber, way, end: $("end").value });
    }
  }

  for (const way of ["clockwise", "anticlockwise"]) $(way).addEventListener("click", () => spin(way));

  return {
    // `message`: about the table.
    draw({ wheel }) {
      $("wheel").hidden = !wheel;
      $("felt").classList.toggle("wheeled", Boolean(wheel));
      $("rim").innerHTML = wheel ? wheel.drawing : "";
      $("pegs").hidden = !wheel?.sensors;
      rim = $("rim").querySelector(".rim");
      if (!rim) return;
      const drawing = rim.ownerSVGElement;
      const { width, height } = drawing.viewBox.baseVal;
      middle = `${width / 2} ${height / 2}`;
      drawing.setAttribute("role", "img");
      steps = wheel.steps;
      lasts = 0;
    },
    // `message`: how it stands now.
    moved({ place, words }) {
      const now = performance.now();
      from = shown;
      to = place;
      lasts = now - told < LONGEST_MS ? now - told : 0;
      told = now;
      rim?.ownerSVGElement.setAttribute("aria-label", words);
      if (!moving) turn(now);
    },
  };
}
