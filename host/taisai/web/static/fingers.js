// Fingers on the seven keys: mouse, touch and keyboard, each with the time at which it really happened.

export const KEYS = ["1", "2", "3", "4", "5", "6", "E"];

const down = new Set();
let move;

// Where a key is on the keyboard, whatever letter or sign it types.
function keyOf(event) {
  const digit = /^(?:Digit|Numpad)([1-6])$/.exec(event.code);
  if (digit) return digit[1];
  return event.code === "Enter" || event.code === "NumpadEnter" ? "E" : undefined;
}

function finger(key, isDown, at) {
  if (down.has(key) === isDown) return;
  (isDown ? down.add(key) : down.delete(key));
  move(key, isDown, at);
}

export function liftAll() {
  for (const key of [...down]) finger(key, false, performance.now());
}

function button(key, taken) {
  const made = document.createElement("button");
  made.type = "button";
  made.dataset.key = key;
  made.textContent = key === "E" ? "ENTRY" : key;
  made.className = key === "E" ? "key entry" : "key";
  made.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || taken(key)) return;
    made.setPointerCapture(event.pointerId);
    finger(key, true, event.timeStamp);
  });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) {
    made.addEventListener(name, (event) => finger(key, false, event.timeStamp));
  }
  made.addEventListener("keydown", (event) => {
    if (event.code !== "Space") return;
    event.preventDefault();
    if (!event.repeat) finger(key, true, event.timeStamp);
  });
  made.addEventListener("keyup", (event) => {
    if (event.code === "Space") finger(key, false, event.timeStamp);
  });
  made.addEventListener("contextmenu", (event) => event.preventDefault());
  return made;
}

// Puts the keys into `place`. `moved(key, isDown, at)`: a finger went down or came up, `at` ms by this page's clock.
// `taken(key)`: true when a click on that key is meant for something else.
export function keys(place, moved, taken) {
  move = moved;
  place.replaceChildren(...KEYS.map((key) => button(key, taken)));
  addEventListener("keydown", (event) => {
    const key = keyOf(event);
    const typing = event.target instanceof Element && event.target.closest("select, input");
    if (key === undefined || typing || event.ctrlKey || event.altKey || event.metaKey) return;
    // Enter would click the button that has the focus. On a key that is what it does anyway.
    if (key === "E" && event.target instanceof Element && event.target.closest("button:not(.key)")) return;
    event.preventDefault();
    if (!event.repeat) finger(key, true, event.timeStamp);
  });
  addEventListener("keyup", (event) => {
    const key = keyOf(event);
    if (key !== undefined) finger(key, false, event.timeStamp);
  });
  // A key that comes up while another window has the keyboard is not told.
  addEventListener("blur", liftAll);
  addEventListener("pagehide", liftAll);
}
