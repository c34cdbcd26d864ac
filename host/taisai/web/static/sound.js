// The beeper: a quiet square wave, as a piezo makes it. Browsers allow sound only after the person has done something.

const VOLUME = 0.05;

let audio = null;
let beep = null;
let wanted = 0;
let muted = false;

// The frequency that the beeper has now, 0 for silence.
export function tone(hertz) {
  wanted = hertz;
  const audible = muted || !audio ? 0 : hertz;
  if (beep && beep.frequency.value !== audible) {
    beep.stop();
    beep = null;
  }
  if (audible && !beep) {
    const quiet = audio.createGain();
    quiet.gain.value = VOLUME;
    beep = audio.createOscillator();
    beep.type = "square";
    beep.frequency.value = audible;
    beep.connect(quiet).connect(audio.destination);
    beep.start();
  }
}

export function mute(on) {
  muted = on;
  tone(wanted);
}

for (const gesture of ["pointerdown", "keydown"]) {
  addEventListener(gesture, () => {
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
  });
}
