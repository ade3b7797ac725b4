import { type ReactNode, useState } from "react";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { download } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { type Actions, doing } from "../../../platform/console/parts/actions.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { today } from "../../../platform/console/session/operator.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { greys } from "../../../platform/kernel/words.ts";
import * as calls from "../template/template.contract.ts";
import { changesIn, TEMPLATE_STATES } from "../template/template.rules.ts";
import { PARTY_WORDS } from "../terms/kind.rules.ts";
import { CopyTemplate, EditTemplate, PreviewTemplate, PublishTemplate } from "./template.form.tsx";
import { shownHtml } from "./wording.form.tsx";
import "./template.css";

type Template = Omit<Reply<typeof calls.listTemplates>["list"][number], "villages">;
type Opening = { form: "edit" | "publish" | "preview" | "copy"; template: Template };

/** What can be done with a template, the same in its row and in its drawer, and the form that is open for it. */
export function useTemplateActs(): [(t: Template) => Actions, ReactNode, (t: Template) => void] {
  const [opening, setOpening] = useState<Opening>();
  const open = (form: Opening["form"], template: Template) => () => setOpening({ form, template });
  const actsOf = (t: Template): Actions => {
    const foreign = t.editable ? undefined : "含您不能管理的门店，请由可管理其全部门店的人员修改";
    const sent = { params: { id: t.id }, body: { version: t.version } };
    return [
      { label: "编辑", does: calls.editTemplate, why: foreign, run: open("edit", t) },
      { label: "预览", does: calls.renderTemplate, run: open("preview", t) },
      {
        label: "发布",
        does: calls.publishTemplate,
        why: foreign ?? (t.draft === "open" ? undefined : "没有未发布的修改"),
        run: open("publish", t),
      },
      t.state === "enabled" && {
        label: "停用",
        why: foreign,
        ...doing(calls.disableTemplate, sent, "已停用", {
          title: "停用模板",
          ok: "停用",
          body: `${t.aloneIn ? `${t.aloneIn}：该门店将无可用模板，之后使用内置文本。` : ""}确定停用 ${t.name} 吗？已提交的合同和已办理的文件不受影响。`,
        }),
      },
      t.state === "disabled" && {
        label: "启用",
        why: foreign,
        ...doing(calls.enableTemplate, sent, "已启用"),
      },
      { label: "复制", does: calls.copyTemplate, run: open("copy", t) },
      {
        label: "导出 PDF",
        does: calls.templatePdf,
        run: () => download(calls.templatePdf, { params: { id: t.id } }),
      },
      deleteAction(calls.deleteTemplate, t, {
        title: "删除模板",
        body: `确定删除 ${t.name} 吗？`,
        why: foreign ?? (t.uses ? `已被 ${t.uses} 份文件使用，不能删除，可以停用` : undefined),
      }),
    ];
  };
  const close = () => setOpening(undefined);
  const layer = opening && <Opened {...opening} close={close} />;
  return [actsOf, layer, (template) => setOpening({ form: "edit", template })];
}

function Opened({ form, template, close }: Opening & { close: () => void }) {
  if (form === "edit") return <EditTemplate id={template.id} onClose={close} />;
  if (form === "publish") return <PublishTemplate template={template} today={today()} onClose={close} />;
  if (form === "copy") return <CopyTemplate template={template} onClose={close} />;
  return <PreviewTemplate template={template} onClose={close} />;
}

/** A template: its text as it is edited next, its versions, and what became of the text between two of them. */
export function TemplateDrawer({ id }: { id: number }) {
  const [actsOf, layer] = useTemplateActs();
  return (
    <>
      <Detail
        call={calls.getTemplate}
        sent={{ params: { id } }}
        width={960}
        title={(t) => t.name}
        tags={(t) => <WordTag words={TEMPLATE_STATES} code={t.state} />}
        facts={[
          "code",
          "docKind",
          { key: "contractKind", show: (t) => (t.contractKind ? PARTY_WORDS[t.contractKind][0] : "全部") },
          "villages",
          "no",
          "effectiveFrom",
          "uses",
          "draft",
          "updatedBy",
          "updatedAt",
        ]}
        actions={actsOf}
        tabs={[
          {
            key: "text",
            title: "正文",
            view: (t) => (
              <div className="stack gap-4">
                {t.head && <span className="sub fs-12">页眉：{t.head}</span>}
                <div className="tpl__paper" dangerouslySetInnerHTML={{ __html: shownHtml(t.html) }} />
                {t.foot && <span className="sub fs-12">页脚：{t.foot}</span>}
              </div>
            ),
          },
          { key: "versions", title: "版本", need: "10.get", view: () => <Versions id={id} /> },
          { key: "compare", title: "版本比较", need: "10.get", view: () => <Compare id={id} /> },
        ]}
        log="template"
      />
      {layer}
    </>
  );
}

const Versions = ({ id }: { id: number }) => (
  <Loaded call={calls.templateVersions} sent={{ params: { id } }}>
    {(rows) => (
      <RowTable
        schema={calls.templateVersions.reply}
        rows={rows}
        columns={["no", "state", "effectiveFrom", "uses", "publishedBy", "publishedAt", "hash"]}
      />
    )}
  </Loaded>
);

function Compare({ id }: { id: number }) {
  return (
    <Loaded call={calls.templateVersions} sent={{ params: { id } }}>
      {(rows) =>
        rows.length < 2 ? <Empty text="只有一个版本，没有可以比较的" /> : <Pair id={id} rows={rows} />
      }
    </Loaded>
  );
}

function Pair({ id, rows }: { id: number; rows: Reply<typeof calls.templateVersions> }) {
  const [from, setFrom] = useState(rows[1]!.id);
  const [to, setTo] = useState(rows[0]!.id);
  const words = greys(Object.fromEntries(rows.map((v) => [String(v.id), `第 ${v.no} 版`])));
  return (
    <div className="stack gap-6">
      <div className="row wrap">
        由
        <ChoiceInput words={words} value={String(from)} onChange={(v) => setFrom(Number(v ?? from))} />
        到
        <ChoiceInput words={words} value={String(to)} onChange={(v) => setTo(Number(v ?? to))} />
      </div>
      <Loaded call={calls.compareVersions} sent={{ params: { id }, query: { from, to } }}>
        {({ lines }) =>
          lines.some((l) => l.kind !== "same") ? (
            <div>
              {changesIn(lines).map((l, i) =>
                l.kind === "skipped" ? (
                  <div key={i} className="tpl__change dim fs-12">{`相同的 ${l.lines} 行`}</div>
                ) : (
                  <div key={i} className={`tpl__change tpl__change--${l.kind}`}>
                    {l.kind === "same" ? l.text : <Change kind={l.kind}>{l.text}</Change>}
                  </div>
                ),
              )}
            </div>
          ) : (
            <Empty text="两个版本的文字相同" />
          )
        }
      </Loaded>
    </div>
  );
}

/** What is read out, too: an inserted or a deleted line. */
const Change = ({ kind, children }: { kind: "added" | "removed"; children: string }) =>
  kind === "added" ? <ins>{children}</ins> : <del>{children}</del>;
