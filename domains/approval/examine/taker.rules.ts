type Person = { id: number; realName: string; account: string };

/** People an approval can be handed to, as options; those of one name are told apart by their account. */
export function takerOptions(
  people: readonly Person[],
  { not }: { not: readonly number[] },
): { value: number; label: string }[] {
  const free = people.filter(({ id }) => !not.includes(id));
  return free.map(({ id, realName, account }) => ({
    value: id,
    label: people.some((one) => one.id !== id && one.realName === realName)
      ? `${realName}（${account}）`
      : realName,
  }));
}
