// The page of a table. It knows nothing of the game: it shows what the server says an observer of the bench sees and
// what the firmware tells, and sends what a person does.

import { bench } from "/static/bench.js";
import { connect } from "/static/connection.js";
import { digits } from "/static/digits.js";
import { KEYS, keys, liftAll } from "/static/fingers.js";
import { mute, tone } from "/static/sound.js";
import { wheel } from "/static/wheel.js";

const GAMMA = 0.45; // how the eye takes light: a tenth of it looks a third as bright
const REFUSED_MS = 6000;
const STATES = { booting: "Starting: self-tests", test: "Test run: this is no game" };

const $ = (id) => document.getElementById(id);
let table = null;
let seen = null;
let told = null;
let language = null; // what the person has chosen; null: that of the layout
let refusal = "";
let connected = false;
let ended = "";

const showDigits = digits($("display"));
const view = bench($, (message) => send(message), () => table, () => language ?? table.language);

const thrown = wheel($, (message) => send(message));

const SHOW = {
  table(message) {
    table = message;
    told = seen = null;
    document.title = $("title").textContent = message.title;
    $("picker").replaceChildren(...message.tables.map((name) => new Option(name, name, false, name === message.table)));
    draw();
    thrown.draw(message);
    status();
  },
  seen(message) {
    seen = message;
    lamps();
    showDigits(message.segments, message.display);
    tone(message.tone_hz);
    press($("switch"), message.switch);
    press($("power"), message.power);
    for (const key of KEYS) keyButton(key).classList.toggle("down", message.keys.includes(key));
    view.seen(message);
    status();
  },
  wheel: (message) => thrown.moved(message),
  told(message) {
    told = message;
    $("call").textContent = message.call;
    view.wins(message.wins);
    status();
  },
  chain: (message) => view.chain(message),
  journal: (message) => view.journal(message),
  link: (message) => view.link(message),
  refused(message) {
    refusal = message.text;
    status();
    setTimeout(() => {
      if (refusal === message.text) refusal = "";
      status();
    }, REFUSED_MS);
  },
  ended(message) {
    ended = message.text;
    status();
  },
};

// The layout, with names in the language that was chosen.
function draw() {
  const spoken = language ?? table.language;
  $("language").value = spoken;
  $("cloth").innerHTML = table.cloths[spoken];
  $("call").lang = table.language;
  $("call").textContent = told ? told.call : "";
  view.draw();
  view.wins(told ? told.wins : []);
  if (seen) lamps();
}

function lamps() {
  for (const zone of document.querySelectorAll("#cloth .zone")) {
    for (const kind of ["lit", "partial", "always"]) {
      zone.classList.toggle(kind, seen[kind].includes(zone.dataset.zone));
    }
  }
  $("cloth").style.setProperty("--shine", Math.pow(seen.brightness, GAMMA).toFixed(3));
}

// One line that says what is the matter, the most important thing first. `ready`: a throw can be keyed or is lit.
function status() {
  const faults = told && told.faults.map(([code, name]) => `${code}: ${name}`).join("; ");
  const checking = told && !told.checked ? "Starting: the files are being checked" : "";
  const state = seen && !seen.power ? "No power" : told ? faults || STATES[told.state] || checking : STATES.booting;
  $("status").textContent = ended || (connected ? refusal || state : "No connection to the table");
  document.body.dataset.ready = String(Boolean(connected && seen && seen.power && told && told.checked));
}

function press(button, on) {
  button.setAttribute("aria-pressed", String(on));
}

function keyButton(key) {
  return document.querySelector(`#keys [data-key="${key}"]`);
}

keys($("keys"), (key, down, at) => send({ do: "key", key, down, at }), (key) => view.hit("key", key));

const send = connect(
  SHOW,
  () => {
    connected = true;
    ended = "";
    view.opened();
    status();
  },
  () => {
    connected = false;
    liftAll();
    status();
  },
);

$("switch").addEventListener("click", () => send({ do: "switch", on: !(seen && seen.switch) }));
$("power").addEventListener("click", () => send({ do: "power", on: !(seen && seen.power) }));
$("reset").addEventListener("click", () => send({ do: "reset" }));
$("sound").addEventListener("click", () => {
  const on = $("sound").getAttribute("aria-pressed") === "false";
  press($("sound"), on);
  mute(!on);
});
$("picker").addEventListener("change", () => {
  send({ do: "table", table: $("picker").value });
  $("picker").blur(); // so that the next digit is a key again, and chooses nothing
});
$("language").addEventListener("change", () => {
  language = $("language").value;
  draw();
  $("language").blur();
});
// A button that was clicked would take the next Enter, which is meant for the table.
addEventListener("click", (event) => {
  if (event.detail > 0 && document.activeElement instanceof HTMLButtonElement) document.activeElement.blur();
});
