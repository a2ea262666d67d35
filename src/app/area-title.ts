import { getTranslations } from 'next-intl/server';
import { type NavigationPage, PAGE_NAMES } from '../components/shell/navigation/navigation';

type PageId = NavigationPage['id'];

/** Returns the title of a page of an area, such as "Late - Work", with the names that the navigation shows. */
export async function areaTitle(page: PageId, area: PageId): Promise<string> {
  const t = await getTranslations('shell');
  return `${t(PAGE_NAMES[page])} - ${t(PAGE_NAMES[area])}`;
}
