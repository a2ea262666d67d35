'use client';

import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPin, IconTrash, IconUsers } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { hasPermission } from '../../../../server/identity/roles';
import { useTRPC } from '../../../api/client';
import { useFailureText } from '../../../api/failure-text';
import { SHOWS_OWN_ERROR } from '../../../api/page-queries';
import { failureOf } from '../../../api/service-error';
import { useBackOffice } from '../../../shell/back-office';
import { useProblemText } from '../../feedback/problem-text';
import { useUrl } from '../../url/use-url';
import styles from './saved-views.module.css';

/** The content of the popover: the saved views, and a field to save the filters as a new one. */
export function SavedViewList({
  list,
  query,
  onChosen,
}: {
  list: string;
  query: string;
  onChosen: () => void;
}) {
  const t = useTranslations('views');
  const trpc = useTRPC();
  const { goTo } = useUrl();
  const { data: views } = useQuery(trpc.views.list.queryOptions({ list }));
  const chooseView = (viewQuery: string) => {
    goTo(viewQuery);
    onChosen();
  };
  return (
    <Stack gap="sm">
      {views?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('none')}
        </Text>
      )}
      {views && views.length > 0 && (
        <ul className={styles.views}>
          {views.map((view) => (
            <li key={view.id}>
              <button
                type="button"
                className={styles.view}
                aria-current={view.query === query || undefined}
                onClick={() => chooseView(view.query)}
              >
                {view.name}{' '}
                {view.shared && (
                  <Text span size="xs" c="dimmed" ml="xs">
                    {view.mine ? t('shared') : t('sharedBy', { name: view.owner })}
                  </Text>
                )}
              </button>
              <PinButton view={view} list={list} />
              <ViewActions view={view} list={list} />
            </li>
          ))}
        </ul>
      )}
      <SaveView list={list} query={query} />
    </Stack>
  );
}

/** Returns mutation options that reload the list of views. */
function useReloadOptions(list: string): { onSuccess: () => Promise<void> } {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return { onSuccess: () => queryClient.invalidateQueries(trpc.views.list.queryFilter({ list })) };
}

interface View {
  id: number;
  name: string;
  shared: boolean;
  mine: boolean;
  pinned: boolean;
}

/** The button that pins a view as a tab above the list, or unpins it. */
function PinButton({ view: { id, name, pinned }, list }: { view: View; list: string }) {
  const t = useTranslations('views');
  const trpc = useTRPC();
  const pin = useMutation(trpc.views.pin.mutationOptions(useReloadOptions(list)));
  return (
    <ActionIcon
      variant={pinned ? 'light' : 'subtle'}
      color={pinned ? undefined : 'gray'}
      c={pinned ? undefined : 'var(--mantine-color-text)'}
      aria-label={t('pin', { name })}
      aria-pressed={pinned}
      title={t('pinHint')}
      loading={pin.isPending}
      onClick={() => pin.mutate({ id, pinned: !pinned })}
    >
      <IconPin size={16} stroke={1.75} />
    </ActionIcon>
  );
}

/** The actions for a view. The confirmation of a removal replaces the buttons. */
function ViewActions({ view, list }: { view: View; list: string }) {
  const t = useTranslations('views');
  const common = useTranslations('common');
  const trpc = useTRPC();
  const { user } = useBackOffice();
  const [isConfirming, setIsConfirming] = useState(false);
  const reloadOptions = useReloadOptions(list);
  const share = useMutation(trpc.views.share.mutationOptions(reloadOptions));
  const remove = useMutation(trpc.views.remove.mutationOptions(reloadOptions));
  // Users who manage other users may also remove those users' shared views.
  if (!view.mine && !hasPermission(user.role, 'users.write')) return null;
  if (isConfirming) {
    return (
      <Group gap={4} wrap="nowrap">
        <Button
          size="compact-sm"
          color="red"
          loading={remove.isPending}
          onClick={() => remove.mutate({ id: view.id })}
          autoFocus
        >
          {t('remove')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => setIsConfirming(false)}>
          {common('cancel')}
        </Button>
      </Group>
    );
  }
  return (
    <Group gap={0} wrap="nowrap">
      {view.mine && (
        <ActionIcon
          variant={view.shared ? 'light' : 'subtle'}
          color={view.shared ? undefined : 'gray'}
          c={view.shared ? undefined : 'var(--mantine-color-text)'}
          aria-label={t('share', { name: view.name })}
          aria-pressed={view.shared}
          title={t('shareHint')}
          loading={share.isPending}
          onClick={() => share.mutate({ id: view.id, shared: !view.shared })}
        >
          <IconUsers size={16} stroke={1.75} />
        </ActionIcon>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        c="var(--mantine-color-text)"
        aria-label={t('removeNamed', { name: view.name })}
        title={t('remove')}
        onClick={() => setIsConfirming(true)}
      >
        <IconTrash size={16} stroke={1.75} />
      </ActionIcon>
    </Group>
  );
}

/** Saves the current filters as a view. The user's own view of that name, if there is one, is overwritten. */
function SaveView({ list, query }: { list: string; query: string }) {
  const t = useTranslations('views');
  const trpc = useTRPC();
  const failureText = useFailureText();
  const problemText = useProblemText();
  const [name, setName] = useState('');
  const save = useMutation(
    trpc.views.save.mutationOptions({ ...useReloadOptions(list), ...SHOWS_OWN_ERROR }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') save.mutate({ list, name, query }, { onSuccess: () => setName('') });
  };
  const failure = save.error ? failureOf(save.error) : null;
  const problem = failure?.problems[0];
  return (
    <form onSubmit={submit}>
      <Group gap="sm" align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          label={t('name')}
          description={query === '' ? t('noFilters') : undefined}
          value={name}
          maxLength={200}
          autoComplete="off"
          error={problem ? problemText(problem) : failure ? failureText(failure).message : undefined}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <Button type="submit" variant="default" loading={save.isPending} disabled={name.trim() === ''}>
          {t('save')}
        </Button>
      </Group>
    </form>
  );
}
