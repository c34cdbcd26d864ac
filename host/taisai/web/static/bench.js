// The drawer of the bench: faults, contacts, flash and power, and what is inside: chain, reasons, journal, link.

const POWER_CUT_MS = 1000;
const BITS = 8; // of a register
// What a tool works on: the others are clicked as usual.
const TARGETS = {
  open: ["zone", "output"], short: ["zone", "output"], on: ["zone", "output"], off: ["zone", "output"],
  stuck: ["output"], cut: ["register"], key: ["key"], slow: ["key"], segment: ["segment"],
};

// `$`: element by id; `send`: says something to the server; `table`, `language`: what is shown now.
export function bench($, send, table, language) {
  let open = false;
  let outputs = []; // the buttons of the chain
  const tool = () => $("tool").value.split(" ");
  const fault = (word) => send({ do: "fault", word });

  // A click on `what` of that `kind`: true when the tool made a fault there.
  function hit(kind, what) {
    const [name, level] = tool();
    if (!TARGETS[name]?.includes(kind)) return false;
    const place = kind === "output" && name !== "stuck" ? lampOf(what) : what;
    if (place) fault([name, place, level].filter((part) => part !== undefined).join(":"));
    return true;
  }

  // `zone:lamp` at an output; nothing where none is connected.
  function lampOf(output) {
    return table().outputs[output]?.join(":");
  }

  function nameOf(zone) {
    return table().names[zone][language()];
  }

  function toolChanged() {
    const targets = TARGETS[tool()[0]] ?? [];
    for (const kind of ["zone", "output", "register", "key", "segment"]) {
      document.body.classList.toggle(`aim-${kind}`, targets.includes(kind));
    }
    if (targets[0] === "output" || targets[0] === "register") show("chain");
  }

  function show(name) {
    for (const tab of $("tabs").children) {
      const chosen = tab.getAttribute("aria-controls") === name;
      tab.setAttribute("aria-selected", String(chosen));
      $(tab.getAttribute("aria-controls")).hidden = !chosen;
    }
  }

  function watch(on) {
    open = on;
    $("bench").hidden = !on;
    document.body.classList.toggle("benched", on);
    $("open-bench").setAttribute("aria-expanded", String(on));
    send({ do: "watch", on });
  }

  function rows(body, cells) {
    body.replaceChildren(...cells.map((words) => {
      const row = document.createElement("tr");
      for (const word of words) row.insertCell().textContent = word ?? "";
      return row;
    }));
  }

  function button(words, label, clicked) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = words;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", clicked);
    return made;
  }

  // The chain: a line for each register, its number and its outputs. Line 0 is the way from the controller.
  function draw() {
    const registers = table().outputs.length / BITS;
    const lines = [];
    outputs = [];
    for (let register = 0; register <= registers; register += 1) {
      const label = register ? `Register ${register}` : "Data line from the controller";
      lines.push(button(String(register), label, () => hit("register", String(register))));
      for (let bit = 0; bit < BITS && register; bit += 1) {
        const output = (register - 1) * BITS + bit;
        const zone = table().outputs[output]?.[0];
        const made = button("0\n0", "", () => hit("output", String(output)));
        made.title = `Output ${output}: ${zone ? nameOf(zone) : "not connected"}`;
        made.classList.toggle("free", !zone);
        outputs.push(made);
        lines.push(made);
      }
      if (!register) lines.at(-1).className = "head";
    }
    $("bits").replaceChildren(...lines);
    $("sense").hidden = !table().sense;
    rows($("records"), []);
  }

  $("open-bench").addEventListener("click", () => watch(!open));
  $("close-bench").addEventListener("click", () => watch(false));
  $("tool").addEventListener("change", toolChanged);
  for (const tab of $("tabs").children) {
    tab.addEventListener("click", () => show(tab.getAttribute("aria-controls")));
  }
  for (const each of document.querySelectorAll("[data-fault]")) {
    each.addEventListener("click", () => fault(each.dataset.fault));
  }
  $("set-sense").addEventListener("click", () => fault(`sense:${$("percent").value}`));
  $("slow").addEventListener("click", () => send({ do: "slow-flash", operations: Number($("operations").value) }));
  $("bounce").addEventListener("input", () => send({ do: "bounce", ms: Number($("bounce").value) }));
  $("cut-power").addEventListener("click", () => {
    send({ do: "power", on: false });
    setTimeout(() => send({ do: "power", on: true }), POWER_CUT_MS);
  });
  $("cloth").addEventListener("click", (event) => {
    const zone = event.target.closest(".zone");
    if (zone) hit("zone", zone.dataset.zone);
  });
  $("display").addEventListener("click", (event) => {
    const segment = event.target.dataset.segment;
    if (segment) hit("segment", segment);
  });

  return {
    hit,
    draw,
    opened: () => send({ do: "watch", on: open }),
    seen(message) {
      $("faults").textContent = message.faults.length ? `Faults: ${message.faults.join(", ")}` : "No faults.";
      $("bounce").value = message.bounce_ms;
      $("bounce-ms").textContent = `${message.bounce_ms} ms`;
    },
    wins(wins) {
      rows($("wins"), wins.map((win) =>
        [nameOf(win.zone), win.odds === null ? "not stated" : `${win.odds} to 1`, win.clause, win.reason]));
    },
    chain(message) {
      $("latches").textContent = message.latches;
      outputs.forEach((each, output) => {
        const [shift, latched] = [message.shift[output], message.output[output]];
        const text = `${shift}\n${latched}`;
        if (each.textContent !== text) each.textContent = text;
        each.classList.toggle("high", latched === "1");
        each.setAttribute("aria-label", `${each.title}, shift stage ${shift}, output stage ${latched}`);
      });
    },
    journal(message) {
      rows($("records"), message.records.toReversed().map((record) =>
        [record.sequence, record.kind, record.game, record.throw, record.previous, record.detail]));
    },
    link(message) {
      const lines = message.lines.map(([who, line]) => `${who === "host" ? ">" : "<"} ${line}`);
      $("lines").textContent = lines.reverse().join("\n");
    },
  };
}
