import { uploadPageQueries } from '../../../../../../components/imports/queries';
import { UploadPage } from '../../../../../../components/imports/upload/upload-page';
import { defineBackOfficePage } from '../../../../../back-office-page';
import { getPageBridge } from '../../../../../session';

const page = defineBackOfficePage({
  namespace: 'import',
  permission: 'imports.write',
  queries: uploadPageQueries,
  content: () => <UploadPage maxFileBytes={getPageBridge().maxImportBytes} />,
});

export const generateMetadata = page.generateMetadata;
export default page.Page;
