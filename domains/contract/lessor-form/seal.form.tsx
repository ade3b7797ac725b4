import { useState } from "react";
import { type Body, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { Drop } from "../../../platform/console/files/drop.tsx";
import { PaperInput } from "../../../platform/console/files/papers-input.tsx";
import { ManySelect, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect, VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import { useQuery } from "@tanstack/react-query";
import { ask, upload } from "../../../platform/console/calls/request.ts";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Failure, sentence } from "../../../platform/console/calls/failure.ts";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { listHolders } from "../../access/operator/operator.contract.ts";
import { UPLOADS } from "../../system/file/file.contract.ts";
import { addSeal, editSeal, type getSeal, importCertificate, LESSORS } from "../seal/seal.contract.ts";

type Seal = Reply<typeof getSeal>;
type Typed = Body<typeof addSeal>;

/** Whoever may open the page on which contracts wait for a seal. */
function HoldersInput(props: InputProps<number[]>) {
  const { data = [], isLoading } = useQuery(ask(listHolders, { query: { permit: "95.query" } }));
  const options = data.map((o) => ({ value: o.id, label: `${o.realName} ${o.phone}` }));
  return (
    <ManySelect
      {...props}
      options={options}
      loading={isLoading}
      placeholder="请选择可用人员"
      searched="search"
    />
  );
}

const fieldsOf = (seal?: Seal): readonly Field<Typed>[] => [
  ...(seal
    ? []
    : [
        {
          key: "lessorId",
          input: (p: InputProps<number>) => <RecordSelect {...p} source={LESSORS} />,
        } as const,
      ]),
  "name",
  "kind",
  {
    key: "imageFileId",
    input: (p) => <PaperInput {...p} call={UPLOADS.image2M} accept=".png" known={seal && [seal.image]} />,
  },
  { key: "villageIds", input: (p) => <VillagesInput {...p} /> },
  { key: "operatorIds", input: (p) => <HoldersInput {...p} /> },
  "autoSeal",
];

/** A new seal, or one as it stands. */
export function SealForm({ seal, onClose }: { seal?: Seal; onClose: () => void }) {
  if (!seal)
    return (
      <FormDrawer
        call={addSeal}
        title="新增印章"
        done="印章已新增"
        initial={{ autoSeal: false }}
        fields={fieldsOf()}
        onClose={onClose}
      />
    );
  const { name, kind, villageIds, operatorIds, autoSeal, version } = seal;
  return (
    <FormDrawer
      call={editSeal}
      title={`编辑印章 ${seal.name}`}
      done="印章已保存"
      params={{ id: seal.id }}
      initial={
        { name, kind, villageIds, operatorIds, autoSeal, version, imageFileId: seal.image.id } as never
      }
      fields={fieldsOf(seal) as never}
      onClose={onClose}
    />
  );
}

/** A certificate file with its password: read once on the server, kept nowhere here. */
export function CertificateForm({ id, name, onClose }: { id: number; name: string; onClose: () => void }) {
  const refresh = useRefresh();
  const [file, setFile] = useState<File>();
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<{ field: string; msg: string }>();
  const run = async () => {
    if (!file) return setWrong({ field: "file", msg: "请选择证书文件" });
    setBusy(true);
    setWrong(undefined);
    try {
      await upload(importCertificate, { files: [file], params: { id }, fields: { password } });
      toast("证书已导入");
      await refresh();
      onClose();
    } catch (error) {
      const field = error instanceof Failure ? error.fields[0] : undefined;
      setWrong(field ?? { field: "", msg: sentence(error) });
    } finally {
      setBusy(false);
    }
  };
  const told = (field: string) =>
    wrong?.field === field && (
      <span className="fi__msg" role="alert">
        {wrong.msg}
      </span>
    );
  return (
    <Dialog
      title={`导入证书　${name}`}
      onClose={onClose}
      footer={<Foot cancel={onClose} ok="导入证书" run={run} />}
      locked={busy}
    >
      <form
        className="stack gap-6"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Drop
          id="certificate-file"
          accept=".p12,.pfx"
          multiple={false}
          off={busy}
          onFiles={([f]) => setFile(f)}
        >
          {file?.name ?? "点击或拖入 .p12、.pfx 证书文件"} <span className="dim">不超过 2M</span>
        </Drop>
        {told("file")}
        <label className="fi">
          <span className="fi__label">证书密码</span>
          <input
            className="ant-input"
            type="password"
            autoComplete="off"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </label>
        {told("password")}
        {told("")}
        <p className="dim">证书私钥加密保存，密码不保存；导入后两者都不能再查看。</p>
      </form>
    </Dialog>
  );
}
