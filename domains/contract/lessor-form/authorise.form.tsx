import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { ManySelect, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import * as f from "../../../platform/kernel/field.ts";
import { authoriseLessor } from "../lessor/lessor.contract.ts";
import { latestEnd } from "../lessor/lessor.rules.ts";
import { listSeals } from "../seal/seal.contract.ts";
import { CONTRACT_KINDS, KINDS } from "../terms/kind.rules.ts";
import type { Lessor } from "./lessor.form.tsx";

const wanted = z.object({
  from: f.dayInput("授权开始"),
  to: f.dayInput("授权结束"),
  kinds: f
    .some(CONTRACT_KINDS, "请选择授权合同")
    .min(1, "请选择授权合同")
    .meta({ title: "授权合同", kind: "text" }),
  villageIds: z.array(f.id).default([]).meta({ title: "适用门店", kind: "text" }),
  sealIds: z.array(f.id).default([]).meta({ title: "可用印章", kind: "text" }),
});
type Wanted = z.input<typeof wanted>;

const KIND_OPTIONS = CONTRACT_KINDS.map((kind) => ({ value: kind, label: KINDS[kind].title }));

function SealsInput({ lessorId, ...props }: InputProps<number[]> & { lessorId: number }) {
  const query = { lessorId, pageSize: 100, state: "enabled" as const };
  const { data, isLoading } = useQuery(ask(listSeals, { query }));
  const options = (data?.list ?? []).map((seal) => ({ value: seal.id, label: seal.name }));
  return (
    <ManySelect {...props} options={options} loading={isLoading} placeholder="不选即全部合同用章" clear />
  );
}

type Props = {
  lessor: Lessor;
  today: Day;
  onStarted: (link: string | undefined) => void;
  onClose: () => void;
};

/** What the letter of authorisation says; the legal person signs it on a page of its own. */
export function AuthoriseForm({ lessor, today, onStarted, onClose }: Props) {
  const refresh = useRefresh();
  const [key] = useState(freshKey);
  const form = useForm<Wanted>(wanted as never, {
    from: today,
    to: addDays(latestEnd(today), 0),
    kinds: [...CONTRACT_KINDS],
    villageIds: [],
    sealIds: [],
  });
  const submit = async () => {
    let link: string | undefined;
    const sent = await form.submit(async ({ from, to, kinds, villageIds = [], sealIds = [] }) => {
      const query = {
        start: "1" as const,
        from,
        to,
        kinds: kinds.join(","),
        villageIds: villageIds.join(","),
        sealIds: sealIds.join(","),
      };
      ({ link } = await send(authoriseLessor, { params: { id: lessor.id }, query }, { idempotencyKey: key }));
      await refresh();
    });
    if (sent) onStarted(link);
  };
  return (
    <Drawer
      title={`发起授权　${lessor.name}`}
      modal
      onClose={onClose}
      footer={
        <Foot form={form} cancel={onClose} note={<span className="sub">授权书由法人在短信链接中签署</span>}>
          <Button look="main" busy={form.busy} run={submit}>
            发送授权书
          </Button>
        </Foot>
      }
    >
      <FormFields
        form={form}
        label={96}
        fields={[
          "from",
          { key: "to", help: "最长 3 年" },
          {
            key: "kinds",
            input: (p) => (
              <ManySelect {...(p as InputProps<string[]>)} options={KIND_OPTIONS} placeholder="请选择" />
            ),
          },
          { key: "villageIds", input: (p) => <VillagesInput {...p} placeholder="不选即全部门店" /> },
          { key: "sealIds", input: (p) => <SealsInput {...p} lessorId={lessor.id} /> },
        ]}
      />
    </Drawer>
  );
}
