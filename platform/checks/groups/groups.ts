import { expect, test } from "vitest";
import { type ZodType, z } from "zod";
import type { Method } from "../../kernel/call.ts";
import type { Person, TestHouse } from "../../server/process/house.sample.ts";
import { CALLS } from "../specification/calls.ts";

type Values = Record<string, string | number>;
export type Asked = {
  as?: Person;
  params?: Values;
  query?: Values;
  body?: object;
  form?: FormData;
};
type Sent = { url: string; headers: Record<string, string>; payload?: Buffer | object };

/** Rows and their number, as every list answers. */
export const paged = <R extends ZodType>(row: R) =>
  z.object({ list: z.array(row).min(1), total: z.number().int().min(1) });
export const withId = z.object({ id: z.number().int().positive() });

const written = async (path: string, { params, query, body, form }: Asked): Promise<Sent> => {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name])));
  const asked = new URLSearchParams(Object.entries(query ?? {}).map(([k, v]) => [k, String(v)])).toString();
  const multipart = form && new Response(form);
  return {
    url: asked ? `${address}?${asked}` : address,
    headers: multipart ? { "content-type": multipart.headers.get("content-type")! } : {},
    ...(multipart ? { payload: Buffer.from(await multipart.arrayBuffer()) } : body && { payload: body }),
  };
};

/**
 * The calls of the specification's table below some paths, asked by method and path as a foreign program would: no contract
 * of ours is read. `everyOne` fails when one of them has not been answered well.
 */
export function groupOf(house: TestHouse, belongs: RegExp) {
  const calls = CALLS.filter(([, path]) => belongs.test(path));
  const answered = new Set<string>();
  let key = 0;

  async function answer(method: Method, path: string, how: Asked = {}) {
    const call = calls.find(([m, p]) => m === method && p === path);
    if (!call) throw new Error(`${method} ${path} stands in no row of this group`);
    const { url, headers, payload } = await written(path, how);
    const send = (token: string | undefined) =>
      house.app.inject({
        method,
        url,
        headers: {
          ...headers,
          ...(token && { authorization: token }),
          "idempotency-key": `asked-by-the-table-${++key}`,
        },
        ...(payload && { payload }),
      });
    if (call[2] === "login") expect((await send(undefined)).statusCode, `${method} ${path}`).toBe(401);
    const got = await send(how.as?.token);
    expect(got.statusCode, `${method} ${url}: ${got.body.slice(0, 300)}`).toBe(200);
    answered.add(`${method} ${path}`);
    return got;
  }

  return {
    /** The data of a good answer, which must have the shape. */
    good: async <S extends ZodType>(
      method: Method,
      path: string,
      how: Asked,
      shape: S,
    ): Promise<z.output<S>> => {
      const got = await answer(method, path, how);
      expect(String(got.headers["content-type"])).toMatch(/^application\/json/);
      const envelope = got.json<{ code: number; message: string; data: unknown }>();
      expect(envelope, `${method} ${path}`).toMatchObject({ code: 200, message: expect.any(String) });
      const read = shape.safeParse(envelope.data);
      if (!read.success) expect.fail(`${method} ${path}: ${z.prettifyError(read.error)}`);
      return read.data;
    },
    /** Bytes and the headers they came with. */
    blob: async (path: string, how: Asked = {}) => {
      const { headers, rawPayload } = await answer("GET", path, how);
      return {
        type: String(headers["content-type"]),
        disposition: String(headers["content-disposition"]),
        bytes: rawPayload,
      };
    },
    everyOne: () =>
      test("every call of the group was asked and answered well", () => {
        expect(calls.map(([m, p]) => `${m} ${p}`).filter((name) => !answered.has(name))).toEqual([]);
        expect(calls.length).toBeGreaterThan(0);
      }),
  };
}
