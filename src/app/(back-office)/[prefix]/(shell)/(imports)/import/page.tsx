import { uploadPageQueries } from '../../../../../../components/imports/queries';
import { UploadPage } from '../../../../../../components/imports/upload/upload-page';
import { defineBackOfficePage } from '../../../../../back-office-page';

const page = defineBackOfficePage({
  namespace: 'import',
  permission: 'imports.write',
  queries: uploadPageQueries,
  content: () => <UploadPage />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
