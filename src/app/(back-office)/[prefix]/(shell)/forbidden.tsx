import { ForbiddenPage } from '../../../../components/shell/error-pages';

export default ForbiddenPage;
