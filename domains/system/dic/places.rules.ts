import type { DicKind } from "./dic.rules.ts";

/** How records of a table are counted, and the list that shows those with a word, by the key of its query. */
type Shown = { unit: string; list?: { path: string; key: string; more?: Readonly<Record<string, string>> } };

const HOUSES = "/configuration/ApartmentManage";
const flats = (key: string): Shown => ({
  unit: "套",
  list: { path: HOUSES, key, more: { stock: "all" } },
});
const rooms = (key: string): Shown => ({
  unit: "间",
  list: { path: HOUSES, key, more: { view: "room", stock: "all" } },
});

/** By dictionary and group, then by the table that holds the word. */
const SHOWN: Readonly<Record<string, Readonly<Record<string, Shown>>>> = {
  "house.layoutTag": { apartment: flats("layoutTag") },
  "house.source": { apartment: flats("source") },
  "house.orientation": { apartment: flats("orientation"), room: rooms("orientation") },
  "house.decoration": { apartment: flats("decoration") },
  "house.roomTag": { room: rooms("tag") },
  "house.holdReason": { room: rooms("holdReason") },
  "house.blockNote": { room_block: { unit: "次" } },
  "house.buildingKind": { building: { ...flats("buildingKind"), unit: "栋" } },
  "house.areaKind": {
    public_area: { unit: "处", list: { path: "/configuration/addPublicArea", key: "kind" } },
  },
  "facility.room": { room: rooms("facility") },
  "customer.source": {
    renter: { unit: "位", list: { path: "/configuration/RenterManage", key: "source" } },
    lead: { unit: "条", list: { path: "/configuration/BookingManagement", key: "source" } },
  },
};

/** Where the records of a table are that hold a word of a group; just their unit where no list tells them apart. */
export const shownIn = (kind: DicKind, group: string, table: string): Shown =>
  SHOWN[`${kind}.${group}`]?.[table] ?? { unit: "处" };
