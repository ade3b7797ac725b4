/** The parts of a room's address inside the enterprise, from the large to the small. */
export type Place = {
  village: string;
  community: string;
  building: string;
  buildingSort: number;
  unit: string | null;
  unitSort: number;
  floor: number;
  /** The number on the door. */
  apartment: string;
  /** Names below the flat: [] for what is let as a whole, ["A"] for a room, ["A", "1"] for a bed in it. */
  rooms: readonly string[];
};

/** "滨江店·3栋·1单元·1203-A": the last part is the number on the door, with what is let behind it. */
export const fullNameOf = (p: Place): string =>
  [p.village, p.community, p.building, p.unit ?? "", [p.apartment, ...p.rooms].join("-")]
    .filter(Boolean)
    .join("·");

const padded = (text: string) => text.replace(/\d+/g, (digits) => digits.padStart(6, "0"));

/** A key that sorts bytewise in walking order: 2栋 before 10栋, basement before ground, 1203 before 1204. */
export const placeKeyOf = (p: Place): string =>
  [
    String(p.buildingSort).padStart(5, "0"),
    padded(p.community),
    padded(p.building),
    String(p.unitSort).padStart(5, "0"),
    padded(p.unit ?? ""),
    String(p.floor + 20).padStart(3, "0"),
    padded(p.apartment),
    ...p.rooms.map(padded),
  ].join(" ");

/** 3 → "3F", -1 → "B1". */
export const floorName = (number: number): string => (number < 0 ? `B${-number}` : `${number}F`);
