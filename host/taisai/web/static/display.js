// The page knows nothing of the game: it puts what the server tells, pictures included, into its places.

import { connect } from "/static/connection.js";

const PATIENCE_MS = 2800; // the server tells something every second while it has a table
const CELL_SHAPE = 1.9; // width to height of what a place holds

const $ = (id) => document.getElementById(id);
const box = (id) => document.querySelector(`#${id} .box`);
let shown = "";
let patience = 0;

function hear({ connected, ...told }) {
  clearTimeout(patience);
  patience = setTimeout(() => lost(true), PATIENCE_MS);
  lost(!connected);
  const fresh = JSON.stringify(told);
  if (fresh === shown) return;
  shown = fresh;
  show(told);
}

function lost(is) {
  $("screen").classList.toggle("lost", is);
}

function show(told) {
  document.documentElement.lang = told.language;
  document.title = told.words.title;
  for (const each of document.querySelectorAll("[data-word]")) each.textContent = told.words[each.dataset.word];
  box("last").replaceChildren(large(told));
  const places = Array.from({ length: told.places }, (_, at) => item(place(told, told.results[at])));
  box("results").firstChild.replaceChildren(...places);
  box("counts").firstChild.replaceChildren(...told.counts.map(counted));
  box("counts").style.setProperty("--rows", told.counts.length);
  box("ranking").firstChild.replaceChildren(...told.ranking.map((face) => ranked(told, face)));
  box("ranking").style.setProperty("--columns", told.ranking.length);
  arrange();
}

// --- parts ---

function part(tag, kind, ...inside) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  made.append(...inside);
  return made;
}

const item = (inside) => part("li", "", inside);

function faces(told, values) {
  const row = part("div", "faces");
  row.innerHTML = values.map((value) => told.pictures[value]).join("");
  return row;
}

const labels = (result) => result.labels.map((label) => part("span", "", label));

function large(told) {
  const result = told.results[0];
  if (!result) return part("div", "", part("p", "waiting", told.words.waiting));
  if (result.void) return part("div", "", part("p", "void", told.words.void));
  const call = part("p", "call", result.call);
  if (result.amended) call.append(" ", part("span", "mark", told.words.amended));
  const total = "total" in result ? [part("span", "", `${told.words.total} ${result.total}`)] : [];
  const outcome = part("p", "outcome", ...total, ...labels(result));
  return part("div", "", faces(told, result.faces), outcome, call);
}

function place(told, result) {
  if (!result) return part("div", "");
  if (result.void) return part("div", "", part("p", "void", told.words.void));
  const total = "total" in result ? [part("b", "", result.total)] : [];
  const short = part("div", "short", faces(told, result.faces), ...total);
  return part("div", "", short, part("p", "labels", ...labels(result)));
}

function counted(count) {
  return part("div", "", part("dt", "", count.name), part("dd", "", count.count));
}

function ranked(told, { face, count, heat }) {
  const words = part("span", "heat", heat ? told.words[heat] : "");
  return part("li", heat || "", faces(told, [face]), part("b", "", count), words);
}

// --- places ---

// As many columns as let the results be largest.
function arrange() {
  const list = box("results").firstChild;
  const count = list.children.length;
  const size = (columns) =>
    Math.min(list.clientWidth / columns / CELL_SHAPE, list.clientHeight / Math.ceil(count / columns));
  let best = 1;
  for (let columns = 2; columns <= count; columns += 1) if (size(columns) > size(best)) best = columns;
  list.style.setProperty("--columns", best);
  list.style.setProperty("--rows", Math.ceil(count / best) || 1);
}

new ResizeObserver(arrange).observe(box("results"));
connect({ picture: hear }, () => {}, () => lost(true));
