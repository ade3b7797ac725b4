import http from "node:http";
import { expect, test } from "vitest";
import { aliyunHeaders, queryOf, sent } from "./sms-aliyun.ts";

test("signs as the provider's published example does", () => {
  const query = queryOf({
    RegionId: "cn-shanghai",
    ImageId: "win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd",
  });
  const { authorization } = aliyunHeaders(
    { accessKey: "YourAccessKeyId", secretKey: "YourAccessKeySecret" },
    {
      host: "ecs.cn-shanghai.aliyuncs.com",
      action: "RunInstances",
      version: "2014-05-26",
      query,
      at: new Date("2023-10-26T10:22:32Z"),
      nonce: "3156853299f313e23d1673dc12e1703d",
    },
  );
  expect(authorization).toBe(
    "ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0",
  );
});

test("what the provider refuses is thrown with its reason; what it takes has its number", async () => {
  const asked: (string | undefined)[] = [];
  const provider = http.createServer((request, reply) => {
    asked.push(request.url);
    const taken = request.url!.includes("PhoneNumbers=13900000001");
    reply.end(
      JSON.stringify(
        taken ? { Code: "OK", BizId: "9^0" } : { Code: "isv.BUSINESS_LIMIT_CONTROL", Message: "流控" },
      ),
    );
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  const { port } = provider.address() as { port: number };
  const account = { endpoint: `http://127.0.0.1:${port}`, accessKey: "k", secretKey: "s" };
  const message = { sign: "智慧公寓", template: "SMS_1", params: { code: "123456" } };
  expect(await sent(account, { ...message, phone: "13900000001" })).toBe("9^0");
  await expect(sent(account, { ...message, phone: "13900000002" })).rejects.toThrow("流控");
  expect(new URL(asked[0]!, account.endpoint).searchParams.get("TemplateParam")).toBe('{"code":"123456"}');
  provider.close();
});
