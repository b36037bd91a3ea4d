// SPDX-License-Identifier: BSD-3-Clause
// Reading values off curves, and looking at particles. Nothing is fetched.
"use strict";

const viridis = ["440154", "481a6c", "472f7d", "414487", "39568c", "31688e", "2a788e", "23888e",
  "1f988b", "22a884", "35b779", "54c568", "7ad151", "a5db36", "d2e21b", "fde725"]
  .map(c => [0, 2, 4].map(k => parseInt(c.slice(k, k + 2), 16)));
const kinds = ["4f9de0", "e0703a", "3fae74", "9d68cf", "d0a52c", "2aa7b5", "cf5a90", "8b95a0"]
  .map(c => [0, 2, 4].map(k => parseInt(c.slice(k, k + 2), 16)));

const levels = 12; // of depth

function ramp(share) {
  const place = Math.min(Math.max(share, 0), 1) * (viridis.length - 1);
  const k = Math.min(Math.floor(place), viridis.length - 2);
  return viridis[k].map((c, i) => Math.round(c + (place - k) * (viridis[k + 1][i] - c)));
}

function bytes(text) {
  return Uint8Array.from(atob(text), c => c.charCodeAt(0));
}

function short(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1e7 || size < 1e-4 ? value.toExponential(4) : String(Number(value.toPrecision(7)));
}

// ---- charts ----------------------------------------------------------------------------------

const tip = document.createElement("div");
tip.id = "tip";
tip.hidden = true;
document.body.append(tip);

function prepare(svg) {
  const [x0, x1, xa, xb, xlog, y0, y1, ya, yb, ylog] = svg.dataset.scale.split(",").map(Number);
  const undo = (p, low, high, begin, end, log) => {
    const v = low + (p - begin) / (end - begin) * (high - low);
    return log ? 10 ** v : v;
  };
  let curves = null;
  const points = () => [...svg.querySelectorAll("path[data-label]")].map(path => ({
    label: path.dataset.label,
    at: path.getAttribute("d").split(/[ML]/).slice(1).map(p => p.split(" ").map(Number)),
  })).filter(curve => curve.at.length);
  const cross = document.createElementNS(svg.namespaceURI, "path");
  cross.setAttribute("class", "cross");
  svg.append(cross);
  svg.addEventListener("pointermove", event => {
    curves = curves || points();
    const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
    const px = (event.clientX - box.left) * scale;
    if (!curves.length || px < xa || px > xb) { leave(); return; }
    const lines = [];
    let middle = px;
    for (const curve of curves) {
      const near = curve.at.reduce((a, b) =>
        Math.abs(b[0] - px) < Math.abs(a[0] - px) ? b : a);
      if (!lines.length) {
        middle = near[0];
        lines.push(short(undo(near[0], x0, x1, xa, xb, xlog)));
      }
      lines.push(`${curve.label}: ${short(undo(near[1], y0, y1, ya, yb, ylog))}`);
    }
    cross.setAttribute("d", `M${middle} ${yb}V${ya}`);
    tip.textContent = lines.join("\n");
    tip.hidden = false;
    const wide = tip.offsetWidth;
    const fits = event.pageX + 14 + wide <= document.body.clientWidth;
    const left = fits ? event.pageX + 14 : event.pageX - wide - 14;
    tip.style.left = `${Math.max(0, left)}px`;
    tip.style.top = `${event.pageY + 14}px`;
  });
  const leave = () => { tip.hidden = true; cross.setAttribute("d", ""); };
  svg.addEventListener("pointerleave", leave);
}

// ---- particles -------------------------------------------------------------------------------

class Viewer {
  constructor(box) {
    this.box = box;
    this.data = JSON.parse(box.querySelector("script").textContent);
    this.canvas = box.querySelector("canvas");
    const whole = new DataView(bytes(this.data.position).buffer), d = this.data.dimension;
    this.place = new Float32Array(3 * this.data.count);
    const [low, high] = this.data.sight;
    this.middle = [0, 1, 2].map(k => k < d ? (low[k] + high[k]) / 2 : 0);
    for (let i = 0; i < this.data.count; ++i)
      for (let k = 0; k < d; ++k) {
        const share = whole.getUint16(2 * (i * d + k), true) / 65535;
        const at = this.data.low[k] + share * (this.data.high[k] - this.data.low[k]);
        this.place[3 * i + k] = at - this.middle[k];
      }
    this.half = [0, 1, 2].map(k => k < d ? (high[k] - low[k]) / 2 : 0);
    this.turn = [0.45, 0.3];
    this.zoom = 1;
    this.shift = [0, 0];
    this.channels = this.data.channels.map(c => ({ ...c, value: bytes(c.value) }));
    this.buildBar();
    this.choose(0);
    this.listen();
  }

  buildBar() {
    this.bar = this.box.querySelector(".bar");
    if (this.channels.length > 1) {
      const label = document.createElement("label");
      label.append("colour ");
      const select = document.createElement("select");
      this.channels.forEach((c, k) => select.append(new Option(c.label, k)));
      select.addEventListener("change", () => this.choose(Number(select.value)));
      label.append(select);
      this.bar.append(label);
    }
    this.key = document.createElement("span");
    this.bar.append(this.key);
    const hint = document.createElement("span");
    hint.className = "soft hint";
    hint.textContent = `drag to ${this.data.dimension === 3 ? "rotate" : "move"}, wheel to zoom`;
    this.bar.append(hint);
  }

  choose(k) {
    const channel = this.channels[k];
    const colour = i => channel.names ? kinds[i % kinds.length] : ramp(i / 255);
    this.colour = Array.from({ length: 256 }, (_, i) => colour(i));
    this.value = channel.value;
    this.sprites = null;
    this.key.textContent = "";
    if (channel.names) {
      channel.names.slice(0, kinds.length).forEach((name, i) => {
        const dot = document.createElement("i");
        dot.style.background = `rgb(${kinds[i]})`;
        this.key.append(dot, `${name}  `);
      });
    } else {
      const bar = document.createElement("span");
      bar.className = "ramp";
      bar.style.cssText = "display:inline-block;margin:0 .4em;background:linear-gradient(90deg," +
        viridis.map(c => `rgb(${c})`).join(",") + ")";
      this.key.append(`${channel.label} ${short(Number(channel.low.toPrecision(3)))}`, bar,
        short(Number(channel.high.toPrecision(3))));
    }
    this.draw();
  }

  listen() {
    const active = new Map();
    this.canvas.addEventListener("pointerdown", e => {
      active.set(e.pointerId, [e.clientX, e.clientY]);
      this.canvas.setPointerCapture(e.pointerId);
    });
    for (const end of ["pointerup", "pointercancel"])
      this.canvas.addEventListener(end, e => active.delete(e.pointerId));
    this.canvas.addEventListener("pointermove", e => {
      const old = active.get(e.pointerId);
      if (!old) return;
      const dx = e.clientX - old[0], dy = e.clientY - old[1];
      active.set(e.pointerId, [e.clientX, e.clientY]);
      if (this.data.dimension === 3) {
        this.turn[0] -= dx * 0.008;
        this.turn[1] = Math.min(Math.max(this.turn[1] + dy * 0.008, -1.57), 1.57);
      } else {
        this.shift[0] += dx;
        this.shift[1] += dy;
      }
      this.request();
    });
    this.canvas.addEventListener("wheel", e => {
      e.preventDefault();
      const old = this.zoom;
      this.zoom = Math.min(Math.max(this.zoom * Math.exp(-e.deltaY * 0.0015), 0.5), 40);
      const box = this.canvas.getBoundingClientRect(), f = this.zoom / old;
      const at = [e.clientX - box.left - box.width / 2, e.clientY - box.top - box.height / 2];
      for (const k of [0, 1]) this.shift[k] = at[k] - f * (at[k] - this.shift[k]);
      this.request();
    }, { passive: false });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.request());
    new ResizeObserver(() => this.request()).observe(this.canvas);
  }

  request() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.draw(); });
  }

  draw() {
    const dense = window.devicePixelRatio || 1;
    const side = Math.max(1, Math.round(this.canvas.clientWidth * dense));
    if (this.canvas.width !== side) this.canvas.width = this.canvas.height = side;
    const pen = this.canvas.getContext("2d");
    pen.clearRect(0, 0, side, side);
    const reach = this.data.dimension === 3 ? Math.hypot(...this.half) * 1.02
      : Math.max(...this.half) * 1.02 + this.data.diameter / 2;
    const scale = side / 2 / (reach || 1) * this.zoom;
    const middle = [side / 2 + this.shift[0] * dense, side / 2 + this.shift[1] * dense];
    if (this.data.dimension === 3) this.drawSpace(pen, scale, middle);
    else this.drawPlane(pen, scale, middle, side);
    this.canvas.dataset.drawn = this.data.count;
  }

  drawPlane(pen, scale, middle, side) {
    const radius = Math.max(0.46 * this.data.diameter * scale, 0.6);
    const groups = Array.from({ length: 256 }, () => []);
    for (let i = 0; i < this.data.count; ++i) groups[this.value[i]].push(i);
    groups.forEach((group, value) => {
      if (!group.length) return;
      pen.fillStyle = `rgb(${this.colour[value]})`;
      pen.beginPath();
      for (const i of group) {
        const x = middle[0] + scale * this.place[3 * i];
        const y = middle[1] - scale * this.place[3 * i + 1];
        if (x < -radius || y < -radius || x > side + radius || y > side + radius) continue;
        if (radius < 1.5) pen.rect(x - radius, y - radius, 2 * radius, 2 * radius);
        else { pen.moveTo(x + radius, y); pen.arc(x, y, radius, 0, 2 * Math.PI); }
      }
      pen.fill();
    });
    if (!this.data.periodic.some(p => p)) return;
    pen.strokeStyle = getComputedStyle(this.canvas).getPropertyValue("--soft");
    const [a, b] = this.half;
    pen.strokeRect(middle[0] - scale * a, middle[1] - scale * b, 2 * scale * a, 2 * scale * b);
  }

  // Shaded discs, one for each colour and depth that occurs, so that drawing a frame only copies them.
  // Distant particles fade into the background.
  sprite(value, level, radius, background) {
    const key = 256 * level + value, known = this.sprites.of.get(key);
    if (known) return known;
    const size = 2 * Math.ceil(radius) + 2, disc = document.createElement("canvas");
    disc.width = disc.height = size;
    const pen = disc.getContext("2d"), m = size / 2, fog = 0.6 * (1 - level / (levels - 1));
    const mixed = c => `rgb(${c.map((v, k) => Math.round(v + fog * (background[k] - v)))})`;
    const c = this.colour[value];
    const shade = pen.createRadialGradient(m - radius * 0.35, m - radius * 0.4, radius * 0.1,
      m, m, radius);
    shade.addColorStop(0, mixed(c.map(v => v + 0.55 * (255 - v))));
    shade.addColorStop(0.45, mixed(c));
    shade.addColorStop(1, mixed(c.map(v => 0.4 * v)));
    pen.fillStyle = shade;
    pen.beginPath();
    pen.arc(m, m, radius, 0, 2 * Math.PI);
    pen.fill();
    this.sprites.of.set(key, disc);
    return disc;
  }

  turned(x, y, z) {
    const [a, e] = this.turn;
    const ca = Math.cos(a), sa = Math.sin(a), ce = Math.cos(e), se = Math.sin(e);
    const right = -sa * x + ca * y, towards = ca * x + sa * y;
    return [right, -se * towards + ce * z, ce * towards + se * z];
  }

  drawSpace(pen, scale, middle) {
    const n = this.data.count;
    const radius = Math.max(0.5, Math.round(0.46 * this.data.diameter * scale * 2) / 2);
    const at = new Float32Array(2 * n), depth = new Float32Array(n), order = new Uint32Array(n);
    for (let i = 0; i < n; ++i) {
      const [x, y, z] = this.turned(...this.place.subarray(3 * i, 3 * i + 3));
      at[2 * i] = middle[0] + scale * x;
      at[2 * i + 1] = middle[1] - scale * y;
      depth[i] = z;
      order[i] = i;
    }
    order.sort((i, j) => depth[i] - depth[j]);
    const reach = Math.hypot(...this.half) || 1;
    const colour = getComputedStyle(this.canvas).backgroundColor, made = `${radius} ${colour}`;
    if (!this.sprites || this.sprites.made !== made) this.sprites = { made, of: new Map() };
    const background = colour.match(/[\d.]+/g).map(Number);
    this.drawBox(pen, scale, middle, false);
    for (const i of order) {
      const near = Math.min(1, Math.max(0, (depth[i] + reach) / (1.6 * reach)));
      const level = Math.round((levels - 1) * near);
      const disc = this.sprite(this.value[i], level, radius, background), m = disc.width / 2;
      pen.drawImage(disc, at[2 * i] - m, at[2 * i + 1] - m);
    }
    this.drawBox(pen, scale, middle, true);
  }

  // The edges of the box: those that meet its nearest corner lie in front of the particles.
  drawBox(pen, scale, middle, front) {
    if (!this.data.periodic.some(p => p)) return;
    const corner = k => this.turned(...[0, 1, 2].map(d => (k >> d & 1 ? 1 : -1) * this.half[d]));
    const corners = Array.from({ length: 8 }, (_, k) => corner(k));
    const nearest = corners.reduce((best, c, k) => c[2] > corners[best][2] ? k : best, 0);
    pen.strokeStyle = getComputedStyle(this.canvas).getPropertyValue("--soft");
    pen.lineWidth = 1;
    pen.beginPath();
    for (let a = 0; a < 8; ++a)
      for (const d of [1, 2, 4]) {
        const b = a | d;
        if (a & d || (a === nearest || b === nearest) !== front) continue;
        for (const [c, to] of [[corners[a], "moveTo"], [corners[b], "lineTo"]])
          pen[to](middle[0] + scale * c[0], middle[1] - scale * c[1]);
      }
    pen.stroke();
  }
}

document.querySelectorAll("svg[data-scale]").forEach(prepare);
document.querySelectorAll(".viewer").forEach(box => new Viewer(box));
