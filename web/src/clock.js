// SPDX-License-Identifier: MIT
//
// The one time of the page. The animation, the cursors of the figures and the slider all follow it and set it.

export class Clock {
  constructor(start, end, rate) {
    this.start = start;
    this.end = end;
    this.time = start;
    this.rate = rate; // s of motion per s of the reader's time
    this.playing = false;
    this.listeners = [];
  }
  listen(listener) {
    this.listeners.push(listener);
  }
  /** Goes to a time; the listener `from` made the change and is not notified. */
  set(time, from) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    for (const listener of this.listeners) if (listener !== from) listener(this.time);
  }
  play() {
    if (this.playing || this.end <= this.start) return;
    this.playing = true;
    if (this.time >= this.end) this.time = this.start;
    let before = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      const next = this.time + (this.rate * Math.min(100, now - before)) / 1000;
      before = now;
      this.set(next >= this.end ? this.start : next); // starts again after the end
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    this.set(this.time);
  }
  pause() {
    this.playing = false;
    this.set(this.time);
  }
}
