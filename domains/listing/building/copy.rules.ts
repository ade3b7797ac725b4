/** Where a copy stands; parts that its place has not are empty. */
export type CopyPlace = { building: string; floor: string };

/** What a name pattern says: {名称}, {楼栋} and {楼层} stand for the source's name and the copy's place. */
export const namedBy = (pattern: string, name: string, at: CopyPlace): string =>
  pattern
    .replaceAll("{名称}", name)
    .replaceAll("{楼栋}", at.building)
    .replaceAll("{楼层}", at.floor)
    .replace(/\s+/g, " ")
    .trim();

/** The pattern to begin with: a name that ends with its own floor gets the copy's floor in its place. */
export const patternFor = (name: string, floor: string): string =>
  floor && name.endsWith(floor) ? `${name.slice(0, -floor.length)}{楼层}` : "{名称} {楼层}";
