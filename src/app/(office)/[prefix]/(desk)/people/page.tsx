import { PeoplePage } from '../../../../../components/people/people-page';
import { deskPage } from '../../../../desk-page';

const page = deskPage({
  area: 'people',
  may: 'users.read',
  content: () => <PeoplePage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
