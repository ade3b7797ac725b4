import { expect, test } from "vitest";
import { areaPage, LABEL, labelAt, PAGE, roomPage } from "./sheet.rules.ts";

test("twelve labels to a page, in rows, none over its edge", () => {
  expect(labelAt(0)).toMatchObject({ page: 0, x: 30, y: 30 });
  expect(labelAt(11)).toMatchObject({ page: 0 });
  expect(labelAt(12)).toEqual({ ...labelAt(0), page: 1 });
  const last = labelAt(11);
  expect(last.x + LABEL.width).toBeLessThanOrEqual(PAGE.width - 29.9);
  expect(last.y + LABEL.height).toBeLessThanOrEqual(PAGE.height - 29.9);
});

test("a code opens the page of its room or area", () => {
  expect(roomPage("https://gy.example.cn", 7)).toBe(
    "https://gy.example.cn/sams/configuration/ApartmentManage?view=room&id=7",
  );
  expect(areaPage("https://gy.example.cn", 8)).toBe(
    "https://gy.example.cn/sams/configuration/addPublicArea?id=8",
  );
});
