import { PLACES, type Place } from "./stores/places.ts";

export type Store = Place & { rooms: number };

/** A store that has more opens a second one near by; the first of all is as large as a store gets. */
const USUAL = 1200;
const LARGEST = 5000;
const LEAST = 4;

/** The stores of a company of that size: the twelve places first, then the further stores of those that are full. */
export function chainOf(rooms: number): Store[] {
  const weights = PLACES.reduce((sum, p) => sum + p.weight, 0);
  const first: Store[] = [];
  const further: Store[] = [];
  for (const [i, place] of PLACES.entries()) {
    const count = Math.max(LEAST, Math.round((rooms * place.weight) / weights));
    const here = Math.min(count, i === 0 ? LARGEST : USUAL);
    first.push({ ...place, rooms: here });
    const others = Math.ceil((count - here) / USUAL);
    for (let n = 1; n <= others; n++) {
      const share =
        Math.floor(((count - here) * n) / others) - Math.floor(((count - here) * (n - 1)) / others);
      further.push({ ...nearBy(place, n + 1), rooms: share });
    }
  }
  return [...first, ...further];
}

const nearBy = (place: Place, n: number): Place => ({
  ...place,
  code: `${place.code}${n}`,
  name: place.name.replace(/店$/, `${n}号店`),
  address: place.address.replace(/\d+(?=号)/, (door) => String(Number(door) + 40 * n)),
  lng: (Number(place.lng) + 0.003 * n).toFixed(6),
  lat: (Number(place.lat) + 0.002 * n).toFixed(6),
});
