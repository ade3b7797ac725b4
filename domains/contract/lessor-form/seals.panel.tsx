import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchFile } from "../../../platform/console/calls/request.ts";
import { switchAction } from "../../../platform/console/calls/record-acts.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { doing, type Actions } from "../../../platform/console/parts/actions.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { SWITCHED } from "../../../platform/kernel/switched.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { getFile } from "../../system/file/file.contract.ts";
import * as calls from "../seal/seal.contract.ts";
import { CertificateForm, SealForm } from "./seal.form.tsx";

type Acted = Pick<Row<typeof calls.listSeals>, "id" | "name" | "version" | "state" | "source">;

function useSealActs() {
  const [importing, setImporting] = useState<Acted>();
  const actsOf = (seal: Acted): Actions => [
    { label: "导入证书", does: calls.importCertificate, run: () => setImporting(seal) },
    seal.source === "imported" && {
      label: "改用系统证书",
      ...doing(
        calls.dropCertificate,
        { params: { id: seal.id }, query: { version: seal.version } },
        "已改用系统证书",
        { title: "改用系统证书", body: `${seal.name} 以后用系统自签证书签署文件，确定吗？` },
      ),
    },
    switchAction({ enable: calls.enableSeal, disable: calls.disableSeal }, seal, {
      ask: { title: "停用印章", body: `停用后 ${seal.name} 不能再盖章，已签合同不受影响，确定停用吗？` },
    }),
  ];
  const layer = importing && (
    <CertificateForm id={importing.id} name={importing.name} onClose={() => setImporting(undefined)} />
  );
  return [actsOf, layer] as const;
}

function SealDrawer({ id }: { id: number }) {
  const [actsOf, layer] = useSealActs();
  return (
    <>
      <Detail
        call={calls.getSeal}
        sent={{ params: { id } }}
        title={(s) => s.name}
        tags={(s) => <WordTag words={SWITCHED} code={s.state} />}
        facts={[
          "kind",
          "lessorName",
          "autoSeal",
          { key: "villageNames", wide: true },
          { key: "operatorNames", wide: true },
          {
            key: "why",
            title: "能否盖章",
            wide: true,
            show: (s) => (s.why ? <span className="bad">{s.why}</span> : "可以盖章"),
          },
          { title: "印章图片", wide: true, show: (s) => <Face id={s.imageFileId} name={s.name} /> },
          "source",
          "uses",
          "createdAt",
          { key: "subject", wide: true },
          { key: "issuer", wide: true },
          "validFrom",
          "validTo",
          "serial",
          { key: "fingerprint", wide: true },
        ]}
        edits={{ does: calls.editSeal, form: (s, close) => <SealForm seal={s} onClose={close} /> }}
        actions={actsOf}
        log="seal"
      />
      {layer}
    </>
  );
}

/** The picture as it will look on a contract: on the white of paper, whatever the theme. */
function Face({ id, name }: { id: number; name: string }) {
  const { data } = useQuery({
    queryKey: [getFile.path, id],
    queryFn: async ({ signal }) =>
      URL.createObjectURL((await fetchFile(getFile, { params: { id } }, { signal })).blob),
    staleTime: Infinity,
  });
  if (!data) return <span className="dim">…</span>;
  const size = { width: 32, height: 32, objectFit: "contain", background: "var(--paper)" } as const;
  return <img src={data} alt={`${name}的印章图片`} style={size} />;
}

/** 印章: the seals of the lessors, who may set them and for which stores. */
export default function Seals() {
  const [actsOf, layer] = useSealActs();
  return (
    <>
      <ListPage
        call={calls.listSeals}
        unit="枚"
        filters={["villageIds", "lessorId", "kind", "state", "keyword"]}
        columns={[
          { key: "name", width: 160 },
          "kind",
          {
            key: "imageFileId",
            title: "预览",
            width: 72,
            show: (s) => <Face id={s.imageFileId} name={s.name} />,
          },
          "lessorName",
          "villageNames",
          "operatorNames",
          "source",
          "validTo",
          "autoSeal",
          { key: "why", show: (s) => (s.why ? <span className="bad">{s.why}</span> : "—") },
          "state",
          { key: "updatedAt", hidden: true },
        ]}
        card={{ title: "name", right: "state", lines: [["lessorName", "kind"], ["villageNames"]] }}
        adds={{ does: calls.addSeal, form: (close) => <SealForm onClose={close} /> }}
        rowActions={actsOf}
        drawer={(id) => <SealDrawer id={id} />}
        emptyText="上传企业的印章图片，指定可用的门店和人员，电子合同签署后即可盖章"
      />
      {layer}
    </>
  );
}
