import { expect, test } from "vitest";
import { CONSTANTS, TEXTS } from "../../checks/specification/texts.ts";
import { IMAGE_CAPS, imageKind, imageRefusal } from "./image.ts";

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0);
const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
const EXE = Uint8Array.of(0x4d, 0x5a, 0x90);

test("pictures are jpg, jpeg or png by name and by content", () => {
  for (const name of ["a.jpg", "a.JPEG", "a.b.png"])
    expect(imageRefusal({ name, size: 1 }, "2M")).toBeUndefined();
  for (const name of ["a.gif", "a.pdf", "png", "a.png.exe", ""])
    expect(imageRefusal({ name, size: 1 }, "2M")).toBe(TEXTS["image.type"][0]);
  expect(imageRefusal({ name: "a.png", size: 3, head: EXE }, "2M")).toBe("请上传图片");
  expect(imageRefusal({ name: "a.png", size: 10, head: PNG }, "2M")).toBeUndefined();
});

test("the content tells the kind", () => {
  expect([PNG, JPEG, EXE, new Uint8Array()].map(imageKind)).toEqual(["png", "jpeg", undefined, undefined]);
});

test("the caps are the specification's", () => {
  expect(Object.keys(IMAGE_CAPS).join(",")).toBe(CONSTANTS["image.caps"][0]);
  expect(imageRefusal({ name: "a.png", size: IMAGE_CAPS["10M"] }, "10M")).toBeUndefined();
  expect(imageRefusal({ name: "a.png", size: IMAGE_CAPS["10M"] + 1 }, "10M")).toBe("图片大小不能超过10M");
});
