import { ForbiddenPage } from '../../../../components/shell/dead-end';

export default ForbiddenPage;
