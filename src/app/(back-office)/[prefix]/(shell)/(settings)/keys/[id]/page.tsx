import { notFound } from 'next/navigation';
import { KeyPage } from '../../../../../../../components/keys/key-page';
import { keyPageQueries } from '../../../../../../../components/keys/queries';
import { shellPage } from '../../../../../../shell-page';

const page = shellPage<{ id: string }>({
  area: 'keys',
  permission: 'keys.read',
  queries: keyPageQueries,
  content: ({ id }) => (/^[1-9]\d{0,8}$/.test(id) ? <KeyPage id={Number(id)} /> : notFound()),
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
