import { NotFoundPage } from '../../components/shell/dead-end';

export default NotFoundPage;
