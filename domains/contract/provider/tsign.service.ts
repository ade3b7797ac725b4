import { z } from "zod";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { Unavailable } from "../../../platform/server/outside/transient.ts";
import { md5Of, tsignHeaders, type TsignApp } from "../../../platform/server/outside/tsign.ts";
import type { EsignDetail } from "./provider.rules.ts";

/*
 * e签宝 API v3: /v3/files/file-upload-url and /v3/files/{fileId}, /v3/sign-flow/create-by-file, and of a flow sign-url,
 * detail, file-download-url and revoke.
 */
const WAIT_MS = 10_000;
/** A file on its way. */
const FILE_WAIT_MS = 60_000;
const MOST_BYTES = 50_000_000;

export type EsignSetup = TsignApp & { endpoint: string; now: () => Date };

export type EsignPlace = { page: number; x: number; y: number };
export type EsignPerson = { name: string; phone: string };
export type EsignParty = EsignPerson & {
  firm: { name: string; creditCode: string } | null;
  place: EsignPlace | undefined;
};
/** A signing as it is presented there. */
export type EsignFlow = {
  flowNo: string;
  title: string;
  fileId: string;
  fileName: string;
  deadline: Date;
  notifyUrl: string | undefined;
  /** Persons, or somebody for a firm, one after the other. */
  parties: readonly EsignParty[];
  /** Where the enterprise of the application sets its seal, by itself. */
  sealPlace: EsignPlace;
  enterpriseFirst: boolean;
};

const answer = z.object({ code: z.number(), message: z.string().nullish(), data: z.unknown() });
const url = z.url({ protocol: /^https?$/ });
const upload = z.object({ fileId: z.string().min(1), fileUploadUrl: url });
const made = z.object({ signFlowId: z.string().min(1) });
const links = z.object({ shortUrl: url.nullish(), url });
const files = z.object({ files: z.array(z.object({ fileId: z.string(), downloadUrl: url })) });
const text = z.string().nullish();
const detail = z.object({
  signFlowStatus: z.number(),
  signFlowDescription: text.transform((t) => t ?? ""),
  signers: z.array(
    z.object({
      signOrder: z.number(),
      signStatus: z.number(),
      signerIp: text.transform((t) => t ?? ""),
      signFields: z
        .array(z.object({ statusUpdateTime: z.number().nullish() }))
        .nullish()
        .transform((fields) => (fields ?? []).map((f) => ({ statusUpdateTime: f.statusUpdateTime ?? null }))),
    }),
  ),
});
/** As which signer a party signs, counted from one; `i` is counted from nothing. */
export const orderOf = (i: number, enterpriseFirst: boolean): number => i + (enterpriseFirst ? 2 : 1);

/** A person by himself, or for a firm. */
const signing = (person: object, firm: EsignParty["firm"]) =>
  firm
    ? {
        signerType: 1,
        orgSignerInfo: {
          orgName: firm.name,
          orgInfo: { orgIDCardNum: firm.creditCode, orgIDCardType: "CRED_ORG_USCC" },
          transactorInfo: person,
        },
      }
    : { signerType: 0, psnSignerInfo: person };

/** Of a file: it was uploaded, or made into a PDF. */
const READY = [2, 5];

/** The signing service of an application. Throws what may pass as Unavailable, what it refuses as a Refusal in its words. */
export function esignClient(setup: EsignSetup) {
  async function asked(method: "GET" | "POST", path: string, sent?: object): Promise<unknown> {
    const body = sent ? JSON.stringify(sent) : "";
    const reply = await fetch(`${setup.endpoint}${path}`, {
      method,
      headers: tsignHeaders(setup, { method, path, body, at: setup.now() }),
      ...(sent && { body }),
      signal: AbortSignal.timeout(WAIT_MS),
    });
    if (reply.status >= 500 || reply.status === 429) throw new Unavailable(`e签宝 HTTP ${reply.status}`);
    const said = answer.safeParse(await reply.json().catch(() => undefined));
    if (!said.success) throw new Unavailable(`e签宝的答复无法识别（HTTP ${reply.status}）`);
    const { code, message, data } = said.data;
    if (code !== 0)
      throw new Refusal(`esign${code}`, `e签宝：${message?.slice(0, 200) || `错误码 ${code}`}`, 409);
    return data;
  }
  const flow = (id: string) => `/v3/sign-flow/${encodeURIComponent(id)}`;
  const placed = ({ page, x, y }: EsignPlace) => ({
    positionPage: String(page),
    positionX: Math.round(x),
    positionY: Math.round(y),
  });
  const slot = (fileName: string, bytes: Buffer) =>
    asked("POST", "/v3/files/file-upload-url", {
      contentMd5: md5Of(bytes),
      contentType: "application/pdf",
      convertToPDF: false,
      fileName,
      fileSize: bytes.length,
    }).then((data) => upload.parse(data));

  return {
    /** Asks for a place for a file that never comes: application, secret and address are right when one is given. */
    test: async (): Promise<void> => {
      await slot("连接测试.pdf", Buffer.from("%PDF-1.4"));
    },

    /** Brings a PDF there; answers its number. */
    upload: async (fileName: string, bytes: Buffer): Promise<string> => {
      const { fileId, fileUploadUrl } = await slot(fileName, bytes);
      const reply = await fetch(fileUploadUrl, {
        method: "PUT",
        headers: { "content-type": "application/pdf", "content-md5": md5Of(bytes) },
        body: new Uint8Array(bytes),
        signal: AbortSignal.timeout(FILE_WAIT_MS),
      });
      if (!reply.ok) throw new Unavailable(`e签宝 文件上传 HTTP ${reply.status}`);
      return fileId;
    },

    isReady: async (fileId: string): Promise<boolean> => {
      const data = await asked("GET", `/v3/files/${encodeURIComponent(fileId)}`);
      return READY.includes(z.object({ fileStatus: z.number() }).parse(data).fileStatus);
    },

    /** Presents the file; answers the number of the flow. Nobody hears of it there: the link is sent by us. */
    create: async (of: EsignFlow): Promise<string> => {
      const { parties, fileId } = of;
      const field = (config: object) => [
        {
          fileId,
          customBizNum: of.flowNo,
          signFieldType: 0,
          normalSignFieldConfig: { signFieldStyle: 1, ...config },
        },
      ];
      const data = await asked("POST", "/v3/sign-flow/create-by-file", {
        docs: [{ fileId, fileName: of.fileName }],
        signFlowConfig: {
          signFlowTitle: of.title,
          signFlowExpireTime: of.deadline.getTime(),
          autoStart: true,
          autoFinish: true,
          identityVerify: true,
          noticeConfig: { noticeTypes: "" },
          ...(of.notifyUrl && { notifyUrl: of.notifyUrl }),
        },
        signers: [
          ...parties.map(({ name, phone, firm, place }, i) => ({
            signConfig: { signOrder: orderOf(i, of.enterpriseFirst) },
            ...signing({ psnAccount: phone, psnInfo: { psnName: name } }, firm),
            signFields: field(
              place
                ? { autoSign: false, freeMode: false, signFieldPosition: placed(place) }
                : { autoSign: false, freeMode: true },
            ),
          })),
          {
            // the enterprise that the application belongs to need not be named
            signerType: 1,
            signConfig: { signOrder: of.enterpriseFirst ? 1 : parties.length + 1 },
            signFields: field({ autoSign: true, freeMode: false, signFieldPosition: placed(of.sealPlace) }),
          },
        ],
      });
      return made.parse(data).signFlowId;
    },

    /** The page on which the party signs, to be opened without an account there. */
    signUrl: async (
      id: string,
      of: { phone: string; firmName: string | undefined; redirectUrl: string | undefined },
    ): Promise<string> => {
      const data = links.parse(
        await asked("POST", `${flow(id)}/sign-url`, {
          needLogin: false,
          urlType: 2,
          clientType: "ALL",
          operator: { psnAccount: of.phone },
          ...(of.firmName && { organization: { orgName: of.firmName } }),
          ...(of.redirectUrl && { redirectConfig: { redirectUrl: of.redirectUrl, redirectDelayTime: 3 } }),
        }),
      );
      return data.shortUrl || data.url;
    },

    detail: async (id: string): Promise<EsignDetail> =>
      detail.parse(await asked("GET", `${flow(id)}/detail`)),

    /** The file as it was closed. */
    download: async (id: string, fileId: string): Promise<Buffer> => {
      const found = files.parse(await asked("GET", `${flow(id)}/file-download-url`)).files;
      const file = found.find((one) => one.fileId === fileId) ?? found[0];
      if (!file) throw new Unavailable("e签宝没有给出签署文件");
      const reply = await fetch(file.downloadUrl, { signal: AbortSignal.timeout(FILE_WAIT_MS) });
      if (!reply.ok) throw new Unavailable(`e签宝 文件下载 HTTP ${reply.status}`);
      const bytes = Buffer.from(await reply.arrayBuffer());
      if (bytes.length > MOST_BYTES || !bytes.subarray(0, 5).equals(Buffer.from("%PDF-")))
        throw new Unavailable("e签宝给出的签署文件不是PDF");
      return bytes;
    },

    revoke: async (id: string, reason: string): Promise<void> => {
      await asked("POST", `${flow(id)}/revoke`, { revokeReason: reason.slice(0, 100) });
    },
  };
}
export type EsignClient = ReturnType<typeof esignClient>;
