// Three digits of seven segments and a point, drawn from the bytes that light them: bit 0 is segment a, bit 7 the point.

// Segments a to g of one digit in a box of 60 by 100.
const SEGMENTS = [
  "10,4 50,4 44,12 16,12", "52,6 52,47 44,43 44,14", "52,53 52,94 44,86 44,57", "10,96 50,96 44,88 16,88",
  "8,53 16,57 16,86 8,94", "8,6 16,14 16,43 8,47", "10,50 16,46 44,46 50,50 44,54 16,54",
];
const SVG = "http://www.w3.org/2000/svg";

function shape(name, place, bit, geometry) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(geometry)) made.setAttribute(key, value);
  made.setAttribute("class", "segment");
  made.setAttribute("transform", `translate(${5 + 66 * place} 0)`);
  if (bit < 7) made.dataset.segment = `${place + 1}:${"abcdefg"[bit]}`;
  return made;
}

// Draws into `box`; returns what shows other bytes, and the text that a person reads in them.
export function digits(box) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "0 0 200 100");
  drawing.setAttribute("aria-hidden", "true");
  const shapes = [0, 1, 2].map((place) => [
    ...SEGMENTS.map((points, bit) => shape("polygon", place, bit, { points })),
    shape("circle", place, 7, { cx: 57, cy: 94, r: 4 }),
  ]);
  drawing.append(...shapes.flat());
  box.replaceChildren(drawing);
  return (bytes, text) => {
    bytes.forEach((byte, place) =>
      shapes[place].forEach((each, bit) => each.classList.toggle("on", Boolean(byte >> bit & 1))));
    box.setAttribute("aria-label", `Display: ${text.trim() || "dark"}`);
  };
}
