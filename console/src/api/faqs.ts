import { type FaqImage, faqImage, faqImageRoutes } from '@apotheca/contract/faq-images';
import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqRevisionRoutes } from '@apotheca/contract/faq-revisions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faqRoutes } from '@apotheca/contract/faqs';
import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import type { Reply } from '../transport/transport.ts';
import { answerFor, api, mutationFor, queryFor, reloadsWhenGone, unlessFailed } from './http/client.ts';
import { type Upload, upload } from './http/upload.ts';

// A change anywhere reloads all lists: they count what they contain, and show the names of what contains them.
const change = unlessFailed('Faqs');

const whenGone = reloadsWhenGone('Faqs');

// True for one moment only, so it is not cached.
const fresh = { keepUnusedDataFor: 0, providesTags: ['Faqs'] } as const;

const faqsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listFaqs: build.query({ ...queryFor(faqRoutes.list), providesTags: ['Faqs'] }),
    createFaq: build.mutation({ ...mutationFor(faqRoutes.create), invalidatesTags: change }),
    editFaq: build.mutation({ ...mutationFor(faqRoutes.edit), invalidatesTags: change }),
    deleteFaq: build.mutation({ ...mutationFor(faqRoutes.delete), invalidatesTags: change }),
    // The answer's message is shown.
    planFaqDeletion: build.query({ ...answerFor(faqRoutes.planDeletion), keepUnusedDataFor: 0, ...whenGone }),
    getFaqTree: build.query({ ...queryFor(faqRoutes.tree), ...fresh }),
    searchFaqs: build.query({ ...queryFor(faqRoutes.search), ...fresh }),
    listFaqSections: build.query({ ...queryFor(faqSectionRoutes.list), providesTags: ['Faqs'] }),
    findFaqSection: build.query({ ...queryFor(faqSectionRoutes.find), providesTags: ['Faqs'] }),
    createFaqSection: build.mutation({ ...mutationFor(faqSectionRoutes.create), invalidatesTags: change }),
    editFaqSection: build.mutation({ ...mutationFor(faqSectionRoutes.edit), invalidatesTags: change }),
    deleteFaqSection: build.mutation({ ...mutationFor(faqSectionRoutes.delete), invalidatesTags: change }),
    planFaqSectionDeletion: build.query({
      ...answerFor(faqSectionRoutes.planDeletion),
      keepUnusedDataFor: 0,
      ...whenGone,
    }),
    // `useMoves` loads the list again once the last of several moves is done.
    moveFaqSection: build.mutation(mutationFor(faqSectionRoutes.move)),
    uploadFaqImage: build.mutation<Reply<FaqImage>, Upload>({
      async queryFn(file, context) {
        const { data, error } = await upload({ route: faqImageRoutes.upload, needs: faqImage }, file, context);
        return error ? { error } : { data: { ...data, result: faqImage.parse(data.result) } };
      },
    }),
    listFaqQuestions: build.query({ ...queryFor(faqQuestionRoutes.list), providesTags: ['Faqs'] }),
    createFaqQuestion: build.mutation({ ...mutationFor(faqQuestionRoutes.create), invalidatesTags: change }),
    editFaqQuestion: build.mutation({ ...mutationFor(faqQuestionRoutes.edit), invalidatesTags: change }),
    deleteFaqQuestion: build.mutation({ ...mutationFor(faqQuestionRoutes.delete), invalidatesTags: change }),
    moveFaqQuestion: build.mutation(mutationFor(faqQuestionRoutes.move)),
    listFaqRevisions: build.query({ ...queryFor(faqRevisionRoutes.list), ...fresh }),
    compareFaqRevision: build.query({ ...queryFor(faqRevisionRoutes.compare), ...fresh }),
    restoreFaqRevision: build.mutation({ ...mutationFor(faqRevisionRoutes.restore), invalidatesTags: change }),
  }),
});

type FaqsRoot = ReturnType<Parameters<ReturnType<typeof faqsApi.util.updateQueryData>>[1]>;
/** Dispatches `updateFaqData`. */
export type FaqsDispatch = ThunkDispatch<FaqsRoot, unknown, UnknownAction>;

export const { updateQueryData: updateFaqData, invalidateTags: invalidateFaqs } = faqsApi.util;

export const { listFaqs, findFaqSection } = faqsApi.endpoints;

export const {
  useListFaqsQuery,
  useCreateFaqMutation,
  useEditFaqMutation,
  useDeleteFaqMutation,
  usePlanFaqDeletionQuery,
  useGetFaqTreeQuery,
  useSearchFaqsQuery,
  useListFaqSectionsQuery,
  useFindFaqSectionQuery,
  useCreateFaqSectionMutation,
  useEditFaqSectionMutation,
  useDeleteFaqSectionMutation,
  usePlanFaqSectionDeletionQuery,
  useMoveFaqSectionMutation,
  useListFaqQuestionsQuery,
  useCreateFaqQuestionMutation,
  useEditFaqQuestionMutation,
  useDeleteFaqQuestionMutation,
  useMoveFaqQuestionMutation,
  useListFaqRevisionsQuery,
  useCompareFaqRevisionQuery,
  useRestoreFaqRevisionMutation,
  useUploadFaqImageMutation,
} = faqsApi;
