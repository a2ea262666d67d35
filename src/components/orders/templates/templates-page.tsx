'use client';

import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { hasPermission } from '../../../server/identity/roles';
import type { BuiltInTemplate } from '../../../server/orders/export/template-names';
import { useTRPC } from '../../api/client';
import { onDemand } from '../../api/on-demand';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import type { RouterOutputs } from '../../api/router-types';
import { useBackOffice } from '../../shell/back-office';
import { useDialogState } from '../../ui/dialog/dialog-state';
import { ListPage } from '../../ui/list/list-page';
import { RowMenu } from '../../ui/list/table/row-menu';
import { useListUrl } from '../../ui/list/use-list-url';
import { Instant } from '../../ui/value/time/instant';
import { readRememberedOrderListQuery } from '../list/order-list-query';
import type { TemplateSettings } from './template-editor';
import { useBuiltInTemplateName } from './template-names';

const TemplateEditor = onDemand(() => import('./template-editor').then((module) => module.TemplateEditor));

type Templates = RouterOutputs['exports']['templates'];

interface Row {
  key: string;
  name: string;
  template: Templates['built_in'][number] | Templates['saved'][number];
  savedTemplate: Templates['saved'][number] | null;
}

/** The export templates: the built-in ones and the team's own. */
export function TemplatesPage() {
  const t = useTranslations('export');
  const { prefix, user } = useBackOffice();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const builtInTemplateNameOf = useBuiltInTemplateName();
  const canWrite = hasPermission(user.role, 'orders.write');
  const url = useListUrl([]);
  const { data, ...query } = useQuery(trpc.exports.templates.queryOptions(undefined, SHOWS_OWN_ERROR));
  const removeTemplate = useMutation(
    trpc.exports.removeTemplate.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.exports.templates.pathFilter()),
    }),
  );
  const editor = useDialogState<{ title: string; template: TemplateSettings }>();
  const rows: Row[] | undefined = data && [
    ...data.built_in.map((template) => ({
      key: template.id,
      name: builtInTemplateNameOf(template.id as BuiltInTemplate),
      template,
      savedTemplate: null,
    })),
    ...data.saved.map((template) => ({
      key: String(template.id),
      name: template.name,
      template,
      savedTemplate: template,
    })),
  ];
  const settingsOf = ({ name, template, savedTemplate }: Row): TemplateSettings => ({
    name,
    format: template.format,
    totals: template.totals,
    columns: template.columns,
    filter: savedTemplate?.filter ?? {},
  });
  const renderMenu = (row: Row) => (
    <RowMenu
      name={row.name}
      actions={[
        row.savedTemplate !== null && {
          label: t('change'),
          onClick: () =>
            editor.open({ title: row.name, template: { ...settingsOf(row), id: row.savedTemplate!.id } }),
        },
        {
          label: t('copy'),
          onClick: () =>
            editor.open({
              title: t('create'),
              template: { ...settingsOf(row), name: t('copyName', { name: row.name }) },
            }),
        },
        row.savedTemplate !== null && {
          label: t('remove'),
          confirm: {
            message: t('removeHint', { name: row.name }),
            destructive: true,
            onConfirm: () => removeTemplate.mutateAsync({ id: row.savedTemplate!.id }),
          },
        },
      ]}
    />
  );
  const blankTemplate: TemplateSettings = {
    name: '',
    format: 'xlsx',
    totals: false,
    columns: [{ column: 'receipt_id' }],
    filter: {},
  };
  return (
    <>
      <ListPage<Row>
        id="export-templates"
        title={t('title')}
        description={t('description')}
        back={{ href: `${prefix}/orders${readRememberedOrderListQuery()}`, label: t('toOrders') }}
        actions={
          canWrite && (
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => editor.open({ title: t('create'), template: blankTemplate })}
            >
              {t('create')}
            </Button>
          )
        }
        url={url}
        query={{ ...query, data: rows && { rows } }}
        rowKey={({ key }) => key}
        columns={[
          { key: 'name', label: t('name'), heading: true, render: ({ name }) => name },
          {
            key: 'columns',
            label: t('columns'),
            render: ({ template }) => t('columnsCount', { count: template.columns.length }),
          },
          {
            key: 'format',
            label: t('format'),
            render: ({ template }) => (template.format === 'csv' ? t('csv') : t('excel')),
          },
          {
            key: 'owner',
            label: t('owner'),
            render: ({ savedTemplate }) => (savedTemplate ? (savedTemplate.owner ?? '–') : t('isBuiltIn')),
          },
          {
            key: 'changed',
            label: t('changed'),
            render: ({ savedTemplate }) => <Instant value={savedTemplate?.updated_at ?? null} />,
          },
          ...(canWrite ? [{ key: 'actions', label: t('actions'), actions: true, render: renderMenu }] : []),
        ]}
        empty={{ title: t('title'), hint: t('description') }}
      />
      {editor.subject && <TemplateEditor opened={editor.opened} onClose={editor.close} {...editor.subject} />}
    </>
  );
}
