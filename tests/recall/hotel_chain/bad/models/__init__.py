"""The data of the hotel chain: one file for each part of the business."""
