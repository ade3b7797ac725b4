import { DicInput, DicsInput } from "../../../platform/console/inputs/dic.tsx";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import type { addApartment, editApartment } from "./apartment.contract.ts";

type Facts = Body<typeof addApartment> & Body<typeof editApartment>;

/** What a flat is, whether it is new or edited. */
export const LAYOUT: readonly Field<Facts>[] = [
  { section: "户型" },
  "bedrooms",
  "halls",
  "baths",
  "kitchens",
  "grossArea",
  "innerArea",
  { key: "layoutTags", input: (p) => <DicsInput {...p} kind="house" group="layoutTag" /> },
  { key: "orientation", input: (p) => <DicInput {...p} kind="house" group="orientation" /> },
  { key: "decoration", input: (p) => <DicInput {...p} kind="house" group="decoration" /> },
];
/** Whose it is. */
export const TITLE: readonly Field<Facts>[] = [
  { key: "source", input: (p) => <DicInput {...p} kind="house" group="source" keeps="code" /> },
  { key: "headLeaseEnd", when: (v) => v.source === "leased" },
  "certificateNo",
  { key: "remark", wide: true },
];
