import { expect, test } from "vitest";
import { z } from "zod";
import { id } from "../field.ts";
import { fileIdsIn } from "./file-fields.ts";

const file = { title: "文件", kind: "file" } as const;
const body = z
  .object({
    villageId: id,
    fileIds: z.array(id).max(9).default([]).meta(file),
    paper: id.nullish().meta(file),
    blocks: z.array(
      z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("text"), fileId: z.string() }),
        z.object({ kind: z.literal("image"), fileId: id.meta(file) }),
      ]),
    ),
  })
  .superRefine(() => {});

test("files are found at any depth by their kind, and nothing else is", () => {
  const value = {
    villageId: 1,
    fileIds: [2, 3],
    paper: null,
    blocks: [
      { kind: "text", fileId: "4" },
      { kind: "image", fileId: 5 },
    ],
  };
  expect(fileIdsIn(body, value)).toEqual([2, 3, 5]);
  expect(fileIdsIn(body.optional(), { ...value, paper: 6, blocks: [] })).toEqual([2, 3, 6]);
  expect([fileIdsIn(undefined, value), fileIdsIn(body, undefined), fileIdsIn(body, "x")]).toEqual([
    [],
    [],
    [],
  ]);
});
