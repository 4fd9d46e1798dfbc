// SPDX-License-Identifier: MIT
//
// Parts of machines as three.js objects. In the plane everything is flat, outlined and stacked in layers; in space
// the same parts are solids in light.
import * as THREE from 'three';
import {boxFrame, frame} from './shapes.js';

const ROUND = 48; // corners of a circle

export const vector = (a) => new THREE.Vector3(a[0], a[1], a[2]);
export const quaternion = (e) => new THREE.Quaternion(e[1], e[2], e[3], e[0]);

/** How things are painted: flat with layers, or lit. */
export class Painter {
  constructor(planar, size) {
    this.planar = planar;
    this.line = 0.0021 * size; // half the width of an outline
    this.inks = []; // materials that follow the theme
  }
  material(colour, opacity = 1) {
    const options = {
      color: colour,
      transparent: this.planar || opacity < 1,
      opacity,
      side: THREE.DoubleSide,
      depthTest: !this.planar,
      depthWrite: !this.planar && opacity === 1,
    };
    return this.planar ? new THREE.MeshBasicMaterial(options) : new THREE.MeshLambertMaterial(options);
  }
  /** A material in the theme's colour of that name. */
  ink(name, opacity = 1) {
    const material = this.material('#000', opacity);
    this.inks.push([name, material]);
    return material;
  }
  retint(colour) {
    for (const [name, material] of this.inks) material.color.set(colour(name));
  }
  mesh(geometry, material, layer) {
    const mesh = new THREE.Mesh(geometry, material);
    mesh.renderOrder = layer;
    return mesh;
  }
}

function toothed(radius, module, grow) {
  const teeth = Math.max(8, Math.round((2 * radius) / module)),
    shape = new THREE.Shape();
  const height = Math.min(0.3 * module, 0.12 * radius);
  for (let i = 0; i < 4 * teeth; i++) {
    const angle = ((i + 0.5) * Math.PI) / (2 * teeth),
      r = radius + grow + (i % 4 < 2 ? height : -height);
    shape[i ? 'lineTo' : 'moveTo'](r * Math.cos(angle), r * Math.sin(angle));
  }
  shape.closePath();
  return shape;
}

function flat(part, grow, module) {
  switch (part.kind) {
    case 'box':
      return new THREE.PlaneGeometry(part.size[0] + 2 * grow, part.size[1] + 2 * grow);
    case 'cylinder':
      if (Math.abs(part.axis[2]) < 0.5)
        return new THREE.PlaneGeometry(part.length + 2 * grow, 2 * (part.radius + grow));
      return part.teeth
        ? new THREE.ShapeGeometry(toothed(part.radius, module, grow))
        : new THREE.CircleGeometry(part.radius + grow, ROUND);
    default:
      return new THREE.CircleGeometry(part.radius + grow, ROUND);
  }
}

function solid(part, module) {
  switch (part.kind) {
    case 'box':
      return new THREE.BoxGeometry(...part.size);
    case 'cylinder': {
      const geometry = part.teeth
        ? new THREE.ExtrudeGeometry(toothed(part.radius, module, 0), {
            depth: part.length,
            bevelEnabled: false,
          }).translate(0, 0, -part.length / 2)
        : new THREE.CylinderGeometry(part.radius, part.radius, part.length, ROUND).rotateX(Math.PI / 2);
      return geometry;
    }
    default:
      return new THREE.SphereGeometry(part.radius, 32, 20);
  }
}

/** A part that is fixed in its body. */
export function fixedPart(painter, part, fill, outline, layer, size) {
  const group = new THREE.Group(),
    module = 0.025 * size;
  group.position.copy(vector(part.at));
  const round = part.kind === 'cylinder' || part.kind === 'sphere';
  if (painter.planar) {
    const along = part.kind === 'box' ? part.along : Math.abs(part.axis?.[2] ?? 1) < 0.5 ? part.axis : [1, 0, 0];
    group.rotation.z = Math.atan2(along[1], along[0]);
    group.add(
      painter.mesh(flat(part, painter.line, module), outline, layer),
      painter.mesh(flat(part, -painter.line, module), fill, layer + 1),
    );
    if (round && part.kind === 'cylinder' && Math.abs(part.axis[2]) >= 0.5) {
      // a spoke shows that it turns
      const spoke = painter.mesh(new THREE.PlaneGeometry(part.radius, painter.line), outline, layer + 2);
      spoke.position.x = part.radius / 2;
      group.add(spoke);
    }
  } else {
    const [u, v, w] = part.kind === 'cylinder' ? frame(part.axis) : boxFrame({along: [1, 0, 0], ...part}, false);
    // The geometry of a cylinder is about z, that of a box begins with x.
    const basis =
      part.kind === 'cylinder'
        ? [v, w, u]
        : part.up || (part.along && Math.abs(u[0]) < 1 - 1e-12)
          ? [u, v, w]
          : [
              [1, 0, 0],
              [0, 1, 0],
              [0, 0, 1],
            ];
    group.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(...basis.map(vector)));
    const mesh = painter.mesh(solid(part, module), fill, layer);
    group.add(mesh);
    if (part.kind === 'box')
      group.add(
        new THREE.LineSegments(
          new THREE.EdgesGeometry(mesh.geometry),
          new THREE.LineBasicMaterial({color: '#222', transparent: true, opacity: 0.5}),
        ),
      );
  }
  return group;
}

/** A bar between two points that may move: call set(a, b). */
export class Bar {
  constructor(painter, width, fill, outline, layer) {
    this.painter = painter;
    this.group = new THREE.Group();
    this.pieces = [];
    const add = (half, material, order) => {
      const body = painter.planar
        ? new THREE.PlaneGeometry(1, 2 * half)
        : new THREE.CylinderGeometry(half, half, 1, 20);
      const end = painter.planar ? new THREE.CircleGeometry(half, ROUND) : new THREE.SphereGeometry(half, 20, 14);
      const piece = [
        painter.mesh(body, material, order),
        painter.mesh(end, material, order),
        painter.mesh(end, material, order),
      ];
      this.pieces.push(piece);
      this.group.add(...piece);
    };
    if (painter.planar) add(width / 2 + painter.line, outline, layer);
    add(width / 2 - (painter.planar ? painter.line : 0), fill, layer + 1);
  }
  set(a, b) {
    const from = vector(a),
      to = vector(b),
      way = to.clone().sub(from),
      length = way.length();
    for (const [body, ...ends] of this.pieces) {
      body.position.copy(from).add(to).multiplyScalar(0.5);
      if (this.painter.planar) {
        body.rotation.z = Math.atan2(way.y, way.x);
        body.scale.x = Math.max(length, 1e-12);
      } else {
        body.quaternion.setFromUnitVectors(
          new THREE.Vector3(0, 1, 0),
          length > 0 ? way.clone().divideScalar(length) : new THREE.Vector3(0, 1, 0),
        );
        body.scale.y = Math.max(length, 1e-12);
      }
      ends[0].position.copy(from);
      ends[1].position.copy(to);
    }
  }
}

/** An arrow that ends at a point: call set(head, direction, length, thickness). */
export class Arrow {
  constructor(painter, material, layer) {
    this.painter = painter;
    this.group = new THREE.Group();
    if (painter.planar) {
      const tip = new THREE.Shape([new THREE.Vector2(0, 0), new THREE.Vector2(-1, 0.42), new THREE.Vector2(-1, -0.42)]);
      this.tip = painter.mesh(new THREE.ShapeGeometry(tip), material, layer);
      this.shaft = painter.mesh(new THREE.PlaneGeometry(1, 0.28).translate(-0.5, 0, 0), material, layer);
    } else {
      this.tip = painter.mesh(
        new THREE.ConeGeometry(0.42, 1, 24).rotateZ(-Math.PI / 2).translate(-0.5, 0, 0),
        material,
        layer,
      );
      this.shaft = painter.mesh(
        new THREE.CylinderGeometry(0.14, 0.14, 1, 16).rotateZ(Math.PI / 2).translate(-0.5, 0, 0),
        material,
        layer,
      );
    }
    this.group.add(this.tip, this.shaft);
  }
  set(head, direction, length, thickness) {
    const tip = Math.min(thickness, 0.6 * length);
    this.group.position.copy(vector(head));
    this.group.quaternion.setFromUnitVectors(new THREE.Vector3(1, 0, 0), vector(direction));
    this.tip.scale.setScalar(tip);
    this.shaft.position.x = -0.9 * tip;
    this.shaft.scale.set(Math.max(length - 0.9 * tip, 1e-12), tip, tip);
  }
}

/** A closed line around the origin, by its distance there at equal angles, as a shape. */
export function outlineShape(radii) {
  return new THREE.Shape(
    radii.map((r, i) => {
      const angle = (2 * Math.PI * i) / radii.length;
      return new THREE.Vector2(r * Math.cos(angle), r * Math.sin(angle));
    }),
  );
}

/** A surface around z through rings [z, radii at equal angles], a band between every two. */
export function ringSurface(rings) {
  const corners = [],
    indices = [];
  for (let k = 0; k + 1 < rings.length; k++) {
    const base = corners.length / 3,
      around = rings[k][1].length;
    for (const [z, radii] of [rings[k], rings[k + 1]])
      radii.forEach((r, i) => {
        const angle = (2 * Math.PI * i) / around;
        corners.push(r * Math.cos(angle), r * Math.sin(angle), z);
      });
    for (let i = 0; i < around; i++) {
      const a = base + i,
        b = base + ((i + 1) % around);
      indices.push(a, b, b + around, a, b + around, a + around);
    }
  }
  const surface = new THREE.BufferGeometry();
  surface.setAttribute('position', new THREE.Float32BufferAttribute(corners, 3));
  surface.setIndex(indices);
  surface.computeVertexNormals();
  return surface;
}

/** The bearing around a journal; call set(inner) when the magnified gap changes, with the radii of a worn bore: in the
 * plane one list, in space one for each end. */
export class Bearing {
  constructor(painter, play, ball, layer) {
    this.painter = painter;
    this.ball = ball;
    this.length = play.length ?? 0.6 * play.bearing;
    this.wall = Math.max(0.22 * play.bearing, 2.2 * painter.line);
    this.group = new THREE.Group();
    this.bore = painter.mesh(new THREE.BufferGeometry(), painter.ink('surface', 0.78), layer); // what is behind it shows through
    this.ring = painter.mesh(
      new THREE.BufferGeometry(),
      painter.planar ? painter.ink('steel') : painter.ink('steel', 0.35),
      layer + 1,
    );
    this.group.add(this.ring);
    if (painter.planar) this.group.add(this.bore);
    this.inner = 0;
  }
  set(inner, radii) {
    if (inner === this.inner) return;
    this.inner = inner;
    this.ring.geometry.dispose();
    this.bore.geometry.dispose();
    const outer = Math.max(inner, ...(radii ?? []).flat()) + this.wall;
    if (this.painter.planar && radii) {
      const ring = new THREE.Shape().absarc(0, 0, outer, 0, 2 * Math.PI);
      ring.holes.push(outlineShape(radii));
      this.ring.geometry = new THREE.ShapeGeometry(ring, 48);
      this.bore.geometry = new THREE.ShapeGeometry(outlineShape(radii));
    } else if (this.painter.planar) {
      this.ring.geometry = new THREE.RingGeometry(inner, outer, 96);
      this.bore.geometry = new THREE.CircleGeometry(inner, 96);
    } else if (radii) {
      const half = this.length / 2,
        wall = radii[0].map(() => outer);
      this.ring.geometry = ringSurface([
        [-half, radii[0]],
        [-half, wall],
        [half, wall],
        [half, radii[1]],
        [-half, radii[0]],
      ]);
    } else if (this.ball) {
      this.ring.geometry = new THREE.SphereGeometry(inner, 48, 32);
    } else {
      const section = [
        [inner, -1],
        [outer, -1],
        [outer, 1],
        [inner, 1],
        [inner, -1],
      ].map(([r, s]) => new THREE.Vector2(r, (s * this.length) / 2));
      this.ring.geometry = new THREE.LatheGeometry(section, 96).rotateX(Math.PI / 2);
    }
  }
}
