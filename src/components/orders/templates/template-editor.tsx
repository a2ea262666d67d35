'use client';

import { Fieldset, MultiSelect, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { ORDER_STATUSES, type OrderStatus } from '../../../server/core/statuses';
import { useTRPC } from '../../api/client';
import { SHOWS_OWN_ERROR } from '../../api/page-queries';
import type { RouterInputs } from '../../api/router-types';
import { OpenedDrawer } from '../../ui/dialog/opened-drawer';
import type { Field } from '../../ui/form/field';
import { FormButtons } from '../../ui/form/form-buttons';
import { FormFields } from '../../ui/form/form-fields';
import { useSchemaForm } from '../../ui/form/schema-form';
import { useCountryName, useCountrySort } from '../../ui/value/country-names';
import { useStatusOptions } from '../../ui/value/status-badge';
import { TemplateColumns, useKnownColumns } from './template-columns';

export type TemplateSettings = RouterInputs['exports']['saveTemplate'];

/** A drawer to create or edit a template. */
export function TemplateEditor({
  opened,
  onClose,
  title,
  template,
}: {
  opened: boolean;
  onClose: () => void;
  title: string;
  template: TemplateSettings;
}) {
  return (
    <OpenedDrawer opened={opened} onClose={onClose} title={title} size="lg" keepMounted={false}>
      <TemplateForm template={template} onClose={onClose} />
    </OpenedDrawer>
  );
}

const valuesOf = (template: TemplateSettings) => ({ filter: {}, ...template });

function TemplateForm({ template, onClose }: { template: TemplateSettings; onClose: () => void }) {
  const t = useTranslations('export');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const statusOptions = useStatusOptions();
  const countryName = useCountryName();
  const sortCountries = useCountrySort();
  const { data: countries = [] } = useQuery(trpc.countries.list.queryOptions());
  const { data: shops = [] } = useQuery(trpc.shops.names.queryOptions());
  const saveTemplate = useMutation(trpc.exports.saveTemplate.mutationOptions(SHOWS_OWN_ERROR));
  const formState = useSchemaForm({
    draftKey: `template ${template.id ?? 'new'}`,
    loadSchema: () =>
      import('../../../server/orders/export/schema').then((module) =>
        module.saveTemplateInput.omit({ shown: true }),
      ),
    initialValues: valuesOf(template),
    edit: template.id === undefined ? null : { shown: template, valuesOf },
    onSubmit: async (input, _form, shown) => {
      await saveTemplate.mutateAsync({ ...input, shown });
      notifications.show({ message: t('saved', { name: input.name }) });
      onClose();
      await queryClient.invalidateQueries(trpc.exports.templates.pathFilter());
    },
  });
  const { form } = formState;
  const { filter, columns } = form.getValues();
  const { nameOf } = useKnownColumns();
  const format = useFormatter();
  /** The fields with inputs of their own below, listed here for the notice about a colleague's change. */
  const otherFields: Field[] = [
    {
      name: 'columns',
      label: t('columns'),
      valueText: (value) =>
        format.list((value as typeof columns).map(({ column, header }) => header ?? nameOf(column))),
    },
    {
      name: 'filter',
      label: t('orders'),
      valueText: (value) => {
        const { statuses = [], shops: ids = [], countries: codes = [] } = value as NonNullable<typeof filter>;
        const statusNames = new Map(
          statusOptions(ORDER_STATUSES).map((option) => [option.value, option.label]),
        );
        return format.list([
          ...statuses.map((status) => statusNames.get(status) ?? status),
          ...ids.map((id) => shops.find((shop) => shop.id === id)?.name ?? String(id)),
          ...codes.map((code) => countryName(code, code)),
        ]);
      },
    },
  ];
  const changeFilter = (change: TemplateSettings['filter']) =>
    form.setFieldValue('filter', { ...filter, ...change });
  return (
    <form onSubmit={formState.submit} noValidate>
      <Stack gap="lg">
        <FormFields
          fields={[
            { name: 'name', label: t('name'), required: true },
            {
              name: 'format',
              label: t('format'),
              kind: 'select',
              required: true,
              options: [
                { value: 'xlsx', label: t('excel') },
                { value: 'csv', label: t('csv') },
              ],
            },
            { name: 'totals', label: t('totals'), description: t('totalsHint'), kind: 'switch' },
          ]}
          otherFields={otherFields}
          state={formState}
        />
        <TemplateColumns
          value={columns}
          onChange={(newColumns) => form.setFieldValue('columns', newColumns)}
          error={form.errors.columns}
        />
        <Fieldset legend={t('orders')}>
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              {t('ordersHint')}
            </Text>
            <MultiSelect
              label={t('status')}
              data={statusOptions(ORDER_STATUSES)}
              value={filter?.statuses ?? []}
              onChange={(statuses) => changeFilter({ statuses: statuses as OrderStatus[] })}
            />
            <MultiSelect
              label={t('shop')}
              data={shops.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={(filter?.shops ?? []).map(String)}
              onChange={(ids) => changeFilter({ shops: ids.map(Number) })}
            />
            <MultiSelect
              label={t('country')}
              data={sortCountries(countries).map(({ code, name }) => ({
                value: code,
                label: countryName(code, name),
              }))}
              searchable
              value={filter?.countries ?? []}
              onChange={(codes) => changeFilter({ countries: codes })}
            />
          </Stack>
        </Fieldset>
        <FormButtons state={formState} action={t('save')} onClose={onClose} />
      </Stack>
    </form>
  );
}
