// SPDX-License-Identifier: MIT
//
// Impacts as clicks, as loud as their impulses, when the animation passes them; slowed down with it.

const LENGTH = 0.04; // s of a click
const DECAY = 0.006; // s
const MOST_AT_ONCE = 12; // clicks between two frames of the screen

export class Sound {
  constructor(clock, impacts) {
    this.clock = clock;
    this.impacts = impacts;
    this.last = clock.time;
    this.played = 0;
    clock.listen((time) => this.pass(time));
  }
  turn(on) {
    this.on = on;
    if (on && !this.audio) {
      this.audio = new AudioContext();
      const rate = this.audio.sampleRate,
        data = new Float32Array(Math.ceil(LENGTH * rate));
      // A short knock: two damped tones and a little noise, the same each time.
      let seed = 1;
      data.forEach((_, i) => {
        const t = i / rate;
        seed = (seed * 16807) % 2147483647;
        const noise = seed / 1073741824 - 1;
        data[i] =
          Math.exp(-t / DECAY) *
          (0.5 * Math.sin(2 * Math.PI * 1900 * t) + 0.3 * Math.sin(2 * Math.PI * 3300 * t) + 0.2 * noise);
      });
      this.click = this.audio.createBuffer(1, data.length, rate);
      this.click.copyToChannel(data, 0);
    }
    if (!on && this.audio) {
      this.audio.close();
      this.audio = null;
    }
  }
  pass(time) {
    const from = this.last;
    this.last = time;
    if (!this.on || !this.clock.playing || time <= from) return;
    let sounded = 0;
    for (const impact of this.impacts()) {
      if (impact.time <= from) continue;
      if (impact.time > time || sounded++ >= MOST_AT_ONCE) break;
      const source = this.audio.createBufferSource(),
        gain = this.audio.createGain();
      source.buffer = this.click;
      gain.gain.value = 0.05 + 0.75 * Math.sqrt(impact.strength);
      source.connect(gain).connect(this.audio.destination);
      source.start(this.audio.currentTime + (impact.time - from) / this.clock.rate);
      this.played++;
    }
  }
}
