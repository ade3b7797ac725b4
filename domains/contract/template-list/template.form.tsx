import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchFile, ask } from "../../../platform/console/calls/request.ts";
import { FormDialog, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect, VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { greys } from "../../../platform/kernel/words.ts";
import { contractOptions } from "../contract/contract.contract.ts";
import { contractPaper } from "../paper/paper.contract.ts";
import * as calls from "../template/template.contract.ts";
import { asksContractKind, DOC_KINDS, type DocKind, onlyKindOf } from "../template/doc-kind.rules.ts";
import { SAMPLES, VERSION_STATES, type Sample } from "../template/template.rules.ts";
import { PARTY_WORDS } from "../terms/kind.rules.ts";
import { WordingInput } from "./wording.form.tsx";

type Template = { id: number; name: string; version: number };
type Text = { html: string; head: string; foot: string };

const CONTRACTS: Source = {
  call: contractOptions,
  option: (c: Reply<typeof contractOptions>[number]) => ({
    value: c.id,
    label: `${c.contractNo} ${c.partyName}`,
    note: c.roomNames,
  }),
};

/** Shows a version, or a text that is still being written, as PDF in a tab of its own. */
async function openDrawn(body: {
  templateVersionId: number;
  sample?: Sample;
  contractId?: number | undefined;
  text?: Text;
}) {
  const { blob } = await fetchFile(calls.renderTemplate, { body });
  const url = URL.createObjectURL(blob);
  open(url, "_blank", "noopener");
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The sample that is shown first. */
const ownOf = ({ docKind, contractKind }: { docKind: DocKind; contractKind: Sample | null }): Sample =>
  onlyKindOf(docKind) ?? contractKind ?? "renter";

/** A new template; its text begins with the built-in one and is edited next. */
export function AddTemplate({ onAdded, onClose }: { onAdded: (id: number) => void; onClose: () => void }) {
  return (
    <FormDialog
      call={calls.addTemplate}
      title="新增模板"
      ok="新增并编辑"
      done="已新增，正文由内置文本起草"
      initial={{ docKind: "renterContract" }}
      fields={[
        { key: "code", placeholder: "如 ZL-2026" },
        { key: "name", placeholder: "如 滨江店租客合同" },
        "docKind",
        {
          key: "contractKind",
          input: ({ onChange, ...p }) => (
            <ChoiceInput
              {...p}
              words={PARTY_WORDS}
              clear
              placeholder="各类合同"
              onChange={(kind) => onChange(kind as Sample)}
            />
          ),
          help: "留空用于各类合同；同一门店有多份时，指明合同类型的优先，其次是最近生效的",
          when: (values: { docKind?: DocKind }) =>
            Boolean(values.docKind && asksContractKind(values.docKind)),
        },
        { key: "villageIds", input: (p) => <VillagesInput {...p} most={2000} /> },
      ]}
      onDone={({ id }) => onAdded(id)}
      onClose={onClose}
    />
  );
}

export const CopyTemplate = ({ template, onClose }: { template: Template; onClose: () => void }) => {
  const [, set] = useAddress();
  return (
    <FormDialog
      call={calls.copyTemplate}
      params={{ id: template.id }}
      title={`复制 ${template.name}`}
      ok="复制"
      done="已复制为新的草稿"
      initial={{ name: `${template.name}副本`.slice(0, 30) }}
      fields={["code", "name"]}
      onDone={({ id }) => set({ id })}
      onClose={onClose}
    />
  );
};

export function PublishTemplate({
  template,
  today,
  onClose,
}: {
  template: Template;
  today: string;
  onClose: () => void;
}) {
  return (
    <FormDialog
      call={calls.publishTemplate}
      params={{ id: template.id }}
      title={`发布 ${template.name}`}
      ok="发布"
      done="已发布"
      initial={{ effectiveFrom: today, version: template.version }}
      fields={[
        {
          key: "effectiveFrom",
          help: "从这一天起提交的合同、办理的文件使用新版本；以前的保留原版本。发布后的版本不能修改",
        },
      ]}
      onClose={onClose}
    />
  );
}

/** The editor: what the template is called and covers, and its text on paper. */
export function EditTemplate({ id, onClose }: { id: number; onClose: () => void }) {
  const { data } = useQuery({
    ...ask(calls.getTemplate, { params: { id } }),
    gcTime: 0,
    staleTime: Infinity,
  });
  const [sample, setSample] = useState<Sample>();
  const versions = useQuery(ask(calls.templateVersions, { params: { id } }));
  if (!data) return null;
  const newest = versions.data?.[0]?.id;
  const shown = sample ?? ownOf(data);
  return (
    <FormDrawer
      call={calls.editTemplate}
      params={{ id }}
      title={`编辑 ${data.name}${data.draftNo ? `　第 ${data.draftNo} 版草稿` : "　保存后成为新的草稿"}`}
      width={1240}
      cols={2}
      ok="保存草稿"
      done="已保存草稿，发布后生效"
      initial={{
        name: data.name,
        villageIds: data.villageIds,
        head: data.head,
        foot: data.foot,
        html: data.html,
        version: data.version,
      }}
      fields={[
        "name",
        { key: "villageIds", input: (p) => <VillagesInput {...p} most={2000} /> },
        { key: "head", placeholder: "如 {企业名称}", help: "每页左上角的一行，可用 {合同编号} 等字段" },
        {
          key: "foot",
          placeholder: "如 {门店} {门店地址}",
          help: "每页页码下的一行，可用 {合同编号} 等字段",
        },
        { key: "html", wide: true, input: (p) => <WordingInput {...p} docKind={data.docKind} /> },
      ]}
      note={(values) => (
        <span className="row">
          <ChoiceInput
            words={SAMPLES}
            value={shown}
            onChange={(next) => setSample((next as Sample) ?? shown)}
          />
          {newest !== undefined && (
            <Button
              icon="file"
              run={() =>
                openDrawn({
                  templateVersionId: newest,
                  sample: shown,
                  text: { html: values.html ?? "", head: values.head ?? "", foot: values.foot ?? "" },
                })
              }
            >
              预览
            </Button>
          )}
        </span>
      )}
      onDone={({ removed }) => {
        if (removed.length) toast(`已去除模板不支持的内容：${removed.join("、")}`, "warning");
      }}
      onClose={onClose}
    />
  );
}

/** 预览: which version, with a made-up document or the newest one of a contract. */
export function PreviewTemplate({
  template,
  onClose,
}: {
  template: Template & { docKind: DocKind; contractKind: Sample | null };
  onClose: () => void;
}) {
  const { data } = useQuery(ask(calls.templateVersions, { params: { id: template.id } }));
  const [picked, pick] = useState<number>();
  const [sample, setSample] = useState<Sample>(ownOf(template));
  const [contractId, setContract] = useState<number>();
  const version = picked ?? data?.[0]?.id;
  const words = Object.fromEntries(
    (data ?? []).map((v) => [String(v.id), `第 ${v.no} 版（${VERSION_STATES[v.state][0]}）`]),
  );
  return (
    <Dialog
      title={`预览 ${template.name}`}
      onClose={onClose}
      footer={
        <Foot
          cancel={onClose}
          word="关闭"
          ok="打开 PDF"
          run={async () => {
            if (version !== undefined) await openDrawn({ templateVersionId: version, sample, contractId });
          }}
        />
      }
    >
      {!data ? (
        <RowsSkeleton rows={3} />
      ) : (
        <div className="stack gap-6">
          <label className="stack gap-2">
            版本
            <ChoiceInput words={greys(words)} value={String(version)} onChange={(v) => pick(Number(v))} />
          </label>
          <label className="stack gap-2">
            样例
            <ChoiceInput
              words={SAMPLES}
              value={sample}
              disabled={contractId !== undefined}
              onChange={(next) => setSample((next as Sample) ?? sample)}
            />
          </label>
          {may(contractOptions.needs) && may(contractPaper.needs) && (
            <label className="stack gap-2">
              {onlyKindOf(template.docKind) ? "或用一份" : "或用一份合同的"}
              {DOC_KINDS[template.docKind][0]}预览
              <RecordSelect
                source={CONTRACTS}
                value={contractId}
                onChange={setContract}
                placeholder="输入合同号、客户搜索"
              />
            </label>
          )}
        </div>
      )}
    </Dialog>
  );
}
