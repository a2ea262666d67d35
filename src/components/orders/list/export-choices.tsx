'use client';

import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import type { SheetFormat } from '../../../server/core/spreadsheet/formats';
import { BUILT_IN_TEMPLATES } from '../../../server/orders/export/template-names';
import type { OrderFilter } from '../../../server/orders/filter/schema';
import { useTRPC } from '../../api/client';
import { useBackOffice } from '../../shell/back-office';
import { useBuiltInTemplateName } from '../templates/template-names';
import { createFilterParameters } from './filter-url';

interface Choice {
  templateId: string;
  name: string;
  /** The format of the download. */
  format: SheetFormat;
}

/** The templates and formats in which the orders of a filter can be downloaded. */
export function ExportChoices({ filter }: { filter: OrderFilter }) {
  const t = useTranslations('export');
  const language = useLocale();
  const { prefix } = useBackOffice();
  const trpc = useTRPC();
  const builtInTemplateNameOf = useBuiltInTemplateName();
  const { data } = useQuery(trpc.exports.templates.queryOptions());
  const choices: Choice[] = [
    ...BUILT_IN_TEMPLATES.map((id) => ({
      templateId: id,
      name: builtInTemplateNameOf(id),
      format: 'xlsx' as const,
    })),
    ...(data?.saved ?? []).map(({ id, name, format }) => ({ templateId: String(id), name, format })),
  ];
  const rawChoice: Choice = { templateId: 'raw', name: t('raw'), format: 'xlsx' };
  const renderItem = ({ templateId, name, format }: Choice) => (
    <Menu.Item
      key={templateId}
      component="a"
      href={`/api/downloads/orders?${new URLSearchParams({ format, template: templateId, language, ...createFilterParameters(filter) })}`}
      download
    >
      {name}
    </Menu.Item>
  );
  return (
    <>
      {choices.map(renderItem)}
      <Menu.Divider />
      {renderItem(rawChoice)}
      <Menu.Sub>
        <Menu.Sub.Target>
          <Menu.Sub.Item>{t('csv')}</Menu.Sub.Item>
        </Menu.Sub.Target>
        <Menu.Sub.Dropdown>
          {[...choices, rawChoice].map((choice) => renderItem({ ...choice, format: 'csv' }))}
        </Menu.Sub.Dropdown>
      </Menu.Sub>
      <Menu.Divider />
      <Menu.Item component={Link} href={`${prefix}/orders/templates`}>
        {t('edit')}
      </Menu.Item>
    </>
  );
}
