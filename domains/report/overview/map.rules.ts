/** A place on the globe, in degrees. */
export type Place = { lng: number; lat: number };
export type Spot = { x: number; y: number };
export type Box = { width: number; height: number; margin: number };

/** Less than this many degrees would draw houses of one street apart. */
const LEAST_SPAN = 0.02;
/** Two spots nearer than this many pixels are one to the eye. */
const NEAR = 26;

/**
 * Lays places out in a box, north up and as broad as they are long: near the middle a degree of longitude is shorter
 * than one of latitude by its cosine. Spots that would cover each other are moved apart sideways.
 */
export function layOut(places: readonly Place[], { width, height, margin }: Box): Spot[] {
  if (!places.length) return [];
  const [lngs, lats] = [places.map((p) => p.lng), places.map((p) => p.lat)];
  const [west, east] = [Math.min(...lngs), Math.max(...lngs)];
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  const middle = { lng: (west + east) / 2, lat: (south + north) / 2 };
  const shorter = Math.cos((middle.lat * Math.PI) / 180);
  const across = Math.max(LEAST_SPAN, (east - west) * shorter);
  const down = Math.max(LEAST_SPAN, north - south);
  const scale = Math.min((width - 2 * margin) / across, (height - 2 * margin) / down);
  const spots = places.map(({ lng, lat }) => ({
    x: width / 2 + (lng - middle.lng) * shorter * scale,
    y: height / 2 - (lat - middle.lat) * scale,
  }));
  return apart(spots, { width, height, margin });
}

/** A ring around the place for those that stand on the same spot, in the order in which they came. */
function apart(spots: readonly Spot[], box: Box): Spot[] {
  const placed: Spot[] = [];
  const clear = (at: Spot) => placed.every((p) => Math.hypot(p.x - at.x, p.y - at.y) >= NEAR);
  const inside = ({ x, y }: Spot): Spot => ({
    x: Math.min(box.width - box.margin, Math.max(box.margin, x)),
    y: Math.min(box.height - box.margin, Math.max(box.margin, y)),
  });
  for (const spot of spots) {
    let at = inside(spot);
    for (let step = 0; !clear(at) && step < 120; step++) {
      const [round, turn] = [Math.floor(step / 12) + 1, (step % 12) / 12];
      at = inside({
        x: spot.x + Math.cos(turn * 2 * Math.PI) * NEAR * round,
        y: spot.y + Math.sin(turn * 2 * Math.PI) * NEAR * round,
      });
    }
    placed.push(at);
  }
  return placed;
}

export type Label = { x: number; y: number; anchor: "start" | "middle" | "end" };
type Area = { left: number; right: number; top: number; bottom: number };
const LINE = 16;

const areaOf = ({ x, y, anchor }: Label, width: number): Area => {
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  return { left, right: left + width, top: y - LINE + 4, bottom: y + 4 };
};
const meet = (a: Area, b: Area) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/**
 * Where each spot's words stand: right of it, left, below or above, wherever they cover neither a spot nor other words;
 * undefined where there is no room, then they come only on pointing.
 */
export function labelsOf(
  spots: readonly (Spot & { r: number; width: number })[],
  box: Pick<Box, "width" | "height">,
): (Label | undefined)[] {
  const dots = spots.map(({ x, y, r }): Area => ({ left: x - r, right: x + r, top: y - r, bottom: y + r }));
  const taken: Area[] = [];
  return spots.map(({ x, y, r, width }, i) => {
    const ways: Label[] = [
      { x: x + r + 5, y: y + 4, anchor: "start" },
      { x: x - r - 5, y: y + 4, anchor: "end" },
      { x, y: y + r + 14, anchor: "middle" },
      { x, y: y - r - 6, anchor: "middle" },
    ];
    return ways.find((label) => {
      const area = areaOf(label, width);
      const within = area.left >= 0 && area.right <= box.width && area.top >= 0 && area.bottom <= box.height;
      if (!within || taken.some((t) => meet(t, area)) || dots.some((d, k) => k !== i && meet(d, area)))
        return false;
      taken.push(area);
      return true;
    });
  });
}

/** About how broad words are at the map's size: a Chinese character is twice a digit. */
export const widthOf = (words: string): number =>
  [...words].reduce((sum, c) => sum + (c.charCodeAt(0) > 255 ? 12.5 : 7), 0);

export const middleOf = (places: readonly Place[]): Place => ({
  lng: places.reduce((sum, p) => sum + p.lng, 0) / places.length,
  lat: places.reduce((sum, p) => sum + p.lat, 0) / places.length,
});

/** Radius of a store's spot: its area grows with its rooms. */
export const radiusOf = (rooms: number, most: number): number =>
  most ? Math.round(6 + 8 * Math.sqrt(rooms / most)) : 6;

/** Colours of an occupancy rate, each from so much on. */
export const CLASSES = [
  { from: 0.95, fill: "green", title: "95% 以上" },
  { from: 0.9, fill: "gold", title: "90-95%" },
  { from: 0.85, fill: "orange", title: "85-90%" },
  { from: 0, fill: "red", title: "85% 以下" },
] as const;
export const fillOf = (rate: number) => CLASSES.find((c) => rate >= c.from)!.fill;
